S She go to school by bus every day .
A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0
A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||1

S I am interested on music and films .
A 3 4|||Prep|||in|||REQUIRED|||-NONE-|||0
A 6 6|||Prep|||in|||REQUIRED|||-NONE-|||0
A 3 4|||Prep|||in|||REQUIRED|||-NONE-|||1

S My brother has a good knowledges of history .
A 3 4|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 5 6|||Nn|||knowledge|||REQUIRED|||-NONE-|||0
A 5 6|||Nn|||knowledge|||REQUIRED|||-NONE-|||1

S Last summer we visit the Paris with our parents .
A 3 4|||Vt|||visited|||REQUIRED|||-NONE-|||0
A 4 5|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 3 4|||Vt|||visited|||REQUIRED|||-NONE-|||1
A 4 5|||ArtOrDet||||||REQUIRED|||-NONE-|||1

S It is a important decision and it needs time .
A 2 3|||ArtOrDet|||an|||REQUIRED|||-NONE-|||0
A 2 3|||ArtOrDet|||an|||REQUIRED|||-NONE-|||1
A 5 6|||Mec|||, and|||REQUIRED|||-NONE-|||1

S People should to eat more vegetables .
A 2 3|||Vform||||||REQUIRED|||-NONE-|||0
A 2 3|||Vform||||||REQUIRED|||-NONE-|||1

S The informations on this page are not correct .
A 1 2|||Nn|||information|||REQUIRED|||-NONE-|||0
A 5 6|||SVA|||is|||REQUIRED|||-NONE-|||0
A 1 2|||Nn|||facts|||REQUIRED|||-NONE-|||1
A 6 8|||Wci|||wrong|||REQUIRED|||-NONE-|||1

S He explained me how does the machine work .
A 2 3|||Prep|||to me|||REQUIRED|||-NONE-|||0
A 4 8|||WOinc|||the machine works|||REQUIRED|||-NONE-|||0
A 1 2|||Wci|||told|||REQUIRED|||-NONE-|||1
A 4 8|||WOinc|||the machine works|||REQUIRED|||-NONE-|||1

S We discussed about the problem for two hours .
A 2 3|||Prep||||||REQUIRED|||-NONE-|||0
A 1 2|||Wci|||talked|||REQUIRED|||-NONE-|||1

S Although it was raining , but they played football .
A 5 6|||Trans||||||REQUIRED|||-NONE-|||0
A 0 1|||Trans||||||REQUIRED|||-NONE-|||1
A 1 2|||Mec|||It|||REQUIRED|||-NONE-|||1

S There is a lot of car in the city center .
A 1 2|||SVA|||are|||REQUIRED|||-NONE-|||0
A 5 6|||Nn|||cars|||REQUIRED|||-NONE-|||0
A 1 2|||SVA|||are|||REQUIRED|||-NONE-|||1
A 5 6|||Nn|||cars|||REQUIRED|||-NONE-|||1

S I have lived here since three years .
A 4 5|||Prep|||for|||REQUIRED|||-NONE-|||0
A 2 3|||Vt|||been living|||REQUIRED|||-NONE-|||1
A 4 5|||Prep|||for|||REQUIRED|||-NONE-|||1

S This book is very useful for students .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S The government should do something for to solve this problem .
A 5 7|||Prep|||to|||REQUIRED|||-NONE-|||0
A 3 7|||Wci||||||REQUIRED|||-NONE-|||1

S On the other hand , cars makes our life more easy .
A 6 7|||SVA|||make|||REQUIRED|||-NONE-|||0
A 9 11|||Wform|||easier|||REQUIRED|||-NONE-|||0
A 6 7|||SVA|||make|||REQUIRED|||-NONE-|||1
A 8 9|||Nn|||lives|||REQUIRED|||-NONE-|||1
A 9 11|||Wform|||easier|||REQUIRED|||-NONE-|||1

