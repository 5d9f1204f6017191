S I live since five years in a small town near of the mountains .
A 1 2|||Vt|||have lived|||REQUIRED|||-NONE-|||0
A 2 5|||WOinc||||||REQUIRED|||-NONE-|||0
A 10 11|||Prep||||||REQUIRED|||-NONE-|||0
A 13 13|||WOinc|||for five years|||REQUIRED|||-NONE-|||0

S Every saturday there is a market on the main square in front of the old church .
A 1 2|||Mec|||Saturday|||REQUIRED|||-NONE-|||0

S The most people come by bike , because they do not find any parking place in the centre .
A 0 2|||ArtOrDet|||Most|||REQUIRED|||-NONE-|||0
A 3 4|||Wci|||travel|||REQUIRED|||-NONE-|||0
A 6 7|||Mec||||||REQUIRED|||-NONE-|||0
A 13 15|||Nn|||parking spaces|||REQUIRED|||-NONE-|||0

S My neighbour sells there cheese and she knows every cow with the name .
A 3 5|||WOinc|||cheese there|||REQUIRED|||-NONE-|||0
A 10 11|||Prep|||by|||REQUIRED|||-NONE-|||0
A 11 12|||ArtOrDet||||||REQUIRED|||-NONE-|||0

S When I have moved here for my first job , I was feeling a little bit alone .
A 2 4|||Vt|||moved|||REQUIRED|||-NONE-|||0
A 11 13|||Vt|||felt|||REQUIRED|||-NONE-|||0

S The market helped me to become friends quickly .
A 5 7|||Wci|||make friends|||REQUIRED|||-NONE-|||0

S Now I meet my friends at the weekend and we drink together a coffee in the sun .
A 8 8|||Mec|||,|||REQUIRED|||-NONE-|||0
A 10 11|||Wci|||have|||REQUIRED|||-NONE-|||0
A 11 14|||WOinc|||a coffee together|||REQUIRED|||-NONE-|||0

S The prices are of course higher as in the supermarket , but the quality is much better .
A 6 7|||Prep|||than|||REQUIRED|||-NONE-|||0

S I think , that every town should have such a place in the middle .
A 2 4|||Mec||||||REQUIRED|||-NONE-|||0

S It makes the people in the town happier , and it costs the city almost nothing .
A 2 3|||ArtOrDet||||||REQUIRED|||-NONE-|||0

S My grandmother teached me to cook in her small house when I had eight years .
A 2 3|||Vform|||taught|||REQUIRED|||-NONE-|||0
A 12 13|||Wci|||was|||REQUIRED|||-NONE-|||0
A 14 15|||Rloc-||||||REQUIRED|||-NONE-|||0

S She was married with a fisherman and every day she had to prepare fresh fish .
A 1 4|||Wci|||had married|||REQUIRED|||-NONE-|||0

S In her kitchen always was the smell of garlic and bread from the oven .
A 3 5|||WOinc|||there was always|||REQUIRED|||-NONE-|||0

S For me the cooking is not only a work , it is also a form to show love .
A 2 3|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 7 9|||Wci|||a chore|||REQUIRED|||-NONE-|||0
A 9 10|||Srun|||;|||REQUIRED|||-NONE-|||0
A 14 17|||Wci|||way of showing|||REQUIRED|||-NONE-|||0

S She never used recipes , because she said that the good food depends of the hands .
A 4 5|||Mec||||||REQUIRED|||-NONE-|||0
A 9 10|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 12 13|||Vt|||depended|||REQUIRED|||-NONE-|||0
A 13 14|||Prep|||on|||REQUIRED|||-NONE-|||0
A 16 16|||Others|||of the cook|||REQUIRED|||-NONE-|||0

S When she was cooking , nobody could not enter to the kitchen without permission .
A 6 10|||Vm|||was allowed to enter|||REQUIRED|||-NONE-|||0

S Actually I live in another country for my studies and I miss her dishes every day .
A 0 1|||Wci|||At the moment|||REQUIRED|||-NONE-|||0
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||0

S The last month I prepared her soup for my flatmates , and they asked me the recipe .
A 0 2|||ArtOrDet|||Last|||REQUIRED|||-NONE-|||0
A 4 5|||Wci|||made|||REQUIRED|||-NONE-|||0
A 15 15|||Prep|||for|||REQUIRED|||-NONE-|||0

S It was not so good as hers , but everybody ate two plates of it .
A 3 4|||Wci|||as|||REQUIRED|||-NONE-|||0
A 10 13|||Wci|||had two helpings|||REQUIRED|||-NONE-|||0

S I think that recipes are like letters that we send to the future .
A 7 8|||Wci|||which|||REQUIRED|||-NONE-|||0

S Nowadays , mobile phone is very popular among the student in our country .
A 3 4|||Nn|||phones|||REQUIRED|||-NONE-|||0
A 4 5|||SVA|||are|||REQUIRED|||-NONE-|||0
A 7 8|||Prep|||with|||REQUIRED|||-NONE-|||0
A 8 9|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 9 10|||Nn|||students|||REQUIRED|||-NONE-|||0

S In my school , every student bring phone to the classroom , even the teacher do not allow .
A 0 1|||Prep|||At|||REQUIRED|||-NONE-|||0
A 6 7|||SVA|||brings|||REQUIRED|||-NONE-|||0
A 7 7|||ArtOrDet|||his or her|||REQUIRED|||-NONE-|||0
A 8 9|||Prep|||into|||REQUIRED|||-NONE-|||0
A 12 13|||Trans|||although|||REQUIRED|||-NONE-|||0
A 15 16|||SVA|||does|||REQUIRED|||-NONE-|||0
A 18 18|||Pref|||it|||REQUIRED|||-NONE-|||0

S Some people think we should ban phones , others think phones can help the study of language .
A 3 3|||Others|||that|||REQUIRED|||-NONE-|||0
A 7 8|||Srun|||;|||REQUIRED|||-NONE-|||0
A 13 13|||Prep|||with|||REQUIRED|||-NONE-|||0
A 16 17|||Nn|||languages|||REQUIRED|||-NONE-|||0

S Last week our class discussed about this topic with the headmaster for two hour .
A 5 6|||Prep||||||REQUIRED|||-NONE-|||0
A 13 14|||Nn|||hours|||REQUIRED|||-NONE-|||0

S Although the teacher of our class is strict , but she listened our opinion carefully .
A 1 6|||Npos|||our class teacher|||REQUIRED|||-NONE-|||0
A 6 7|||Vt|||was|||REQUIRED|||-NONE-|||0
A 9 10|||Trans||||||REQUIRED|||-NONE-|||0
A 12 12|||Prep|||to|||REQUIRED|||-NONE-|||0
A 13 14|||Nn|||opinions|||REQUIRED|||-NONE-|||0

S She gave us many advices and told us a story of her own student from last year .
A 3 5|||Nn|||a lot of advice|||REQUIRED|||-NONE-|||0
A 11 14|||Nn|||one of her own students|||REQUIRED|||-NONE-|||0

S He always play game in night and fall asleep on the lesson .
A 2 3|||Vt|||played|||REQUIRED|||-NONE-|||0
A 3 4|||Nn|||games|||REQUIRED|||-NONE-|||0
A 4 5|||Prep|||at|||REQUIRED|||-NONE-|||0
A 7 8|||Vt|||fell|||REQUIRED|||-NONE-|||0
A 9 10|||Prep|||during|||REQUIRED|||-NONE-|||0

S As a result , he failed the exam in June and his parents were very angry with him .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S In my opinion , phone is only a tool and we must learn to use it in good way .
A 4 4|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 16 19|||Wci|||properly|||REQUIRED|||-NONE-|||0

S If we can not control our phones , they will control us at home too .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Last summer I travelled with train from Moscow to the lake Baikal with my sister .
A 4 5|||Prep|||by|||REQUIRED|||-NONE-|||0
A 9 11|||ArtOrDet|||Lake|||REQUIRED|||-NONE-|||0

S Trip took four days , and it was best experience in my life .
A 0 1|||ArtOrDet|||The trip|||REQUIRED|||-NONE-|||0
A 8 8|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 10 11|||Prep|||of|||REQUIRED|||-NONE-|||0

S In first day I was afraid that I will be bored on the long way .
A 0 1|||Prep|||On|||REQUIRED|||-NONE-|||0
A 1 1|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 8 9|||Vt|||would|||REQUIRED|||-NONE-|||0
A 11 15|||Wci|||on the long journey|||REQUIRED|||-NONE-|||0

S But in my compartment was sitting an old man which told very interesting stories about Siberia .
A 0 1|||Wtone|||However ,|||REQUIRED|||-NONE-|||0
A 4 9|||WOinc|||there was an old man|||REQUIRED|||-NONE-|||0
A 9 10|||Pref|||who|||REQUIRED|||-NONE-|||0

S He said me that he travels on this route since 1975 without a break .
A 1 4|||Wci|||said that|||REQUIRED|||-NONE-|||0
A 5 6|||Vt|||had travelled|||REQUIRED|||-NONE-|||0

S We drank tea , ate fish from the lake and spoke about life till the midnight .
A 10 11|||Wci|||talked|||REQUIRED|||-NONE-|||0
A 14 15|||ArtOrDet||||||REQUIRED|||-NONE-|||0

S From window of the train I saw endless forests and the small villages with wooden houses .
A 1 1|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 5 5|||Mec|||,|||REQUIRED|||-NONE-|||0
A 10 11|||ArtOrDet||||||REQUIRED|||-NONE-|||0

S On this photo you can see the man with his cat on the platform in Omsk .
A 0 1|||Prep|||In|||REQUIRED|||-NONE-|||0
A 6 7|||ArtOrDet|||this|||REQUIRED|||-NONE-|||0

S When we arrived to Irkutsk , he gave me his address and invited me to visit .
A 3 4|||Prep|||in|||REQUIRED|||-NONE-|||0
A 12 16|||Wci|||asked me to visit him|||REQUIRED|||-NONE-|||0

S I hope that I will write him letter before the end of the year .
A 6 8|||WOinc|||a letter to him|||REQUIRED|||-NONE-|||0

S I have worked part-time in convenience store near the station for one and half years .
A 1 3|||Vt|||have been working|||REQUIRED|||-NONE-|||0
A 4 5|||Prep|||at|||REQUIRED|||-NONE-|||0
A 5 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 11 15|||Wci|||a year and a half|||REQUIRED|||-NONE-|||0

S Almost customers are very kind , but sometimes difficult people come to shop at night .
A 0 1|||Wci|||Most|||REQUIRED|||-NONE-|||0
A 12 12|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S One day an angry man in a black suit said my smile was looking strange .
A 12 14|||Vt|||looked|||REQUIRED|||-NONE-|||0
A 14 15|||Wci|||peculiar|||REQUIRED|||-NONE-|||0

S I was very shocked about it and could not sleep at that night .
A 4 5|||Prep|||by|||REQUIRED|||-NONE-|||0
A 5 6|||Pref|||this|||REQUIRED|||-NONE-|||0
A 10 11|||Prep||||||REQUIRED|||-NONE-|||0

S My manager explained me that he had the bad day at work .
A 2 3|||Wci|||told|||REQUIRED|||-NONE-|||0
A 6 7|||Vt|||had had|||REQUIRED|||-NONE-|||0
A 7 8|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0

S From that day I try to think the feeling of the customer .
A 0 1|||Prep|||Since|||REQUIRED|||-NONE-|||0
A 4 5|||Vt|||have tried|||REQUIRED|||-NONE-|||0
A 6 7|||Wci|||consider|||REQUIRED|||-NONE-|||0
A 8 9|||Nn|||feelings|||REQUIRED|||-NONE-|||0

S I also learned how to talk with person who is older than me in polite way .
A 6 6|||WOadv|||politely|||REQUIRED|||-NONE-|||0
A 6 7|||Prep|||to|||REQUIRED|||-NONE-|||0
A 7 10|||Nn|||people who are|||REQUIRED|||-NONE-|||0
A 13 16|||WOinc||||||REQUIRED|||-NONE-|||0

S My salary is not high , but I can pay my train ticket to the university .
A 1 2|||Wci|||pay|||REQUIRED|||-NONE-|||0
A 10 10|||Prep|||for|||REQUIRED|||-NONE-|||0

S Working and studying at same time makes me tired , but it is worth for my future .
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 13 14|||Wci|||worth it|||REQUIRED|||-NONE-|||0

S I recommend a part-time job in a shop to every student who wants to grow as a person .
A 9 10|||ArtOrDet|||any|||REQUIRED|||-NONE-|||0

S The pollution is a big problem in my city and the cars is the main reason for it .
A 0 2|||ArtOrDet|||Pollution|||REQUIRED|||-NONE-|||0
A 10 11|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 12 13|||SVA|||are|||REQUIRED|||-NONE-|||0
A 15 16|||Wci|||cause|||REQUIRED|||-NONE-|||0
A 16 17|||Prep|||of|||REQUIRED|||-NONE-|||0

S Every day there are thousands of cars that they stand in the traffic for hours .
A 7 10|||Pref|||stuck|||REQUIRED|||-NONE-|||0
A 11 12|||ArtOrDet||||||REQUIRED|||-NONE-|||0

S The air become very dirty and the childrens can not play outside .
A 2 3|||Vt|||has become|||REQUIRED|||-NONE-|||0
A 6 7|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 7 8|||Nn|||children|||REQUIRED|||-NONE-|||0

S Some peoples say that we must to build more roads , but in my opinion this solution it will not help .
A 1 2|||Nn|||people|||REQUIRED|||-NONE-|||0
A 5 7|||Vm|||have to|||REQUIRED|||-NONE-|||0
A 17 18|||Pref||||||REQUIRED|||-NONE-|||0

S When the goverment builds new road , more people buy a car and the road becomes full again .
A 2 3|||Mec|||government|||REQUIRED|||-NONE-|||0
A 5 6|||Nn|||roads|||REQUIRED|||-NONE-|||0
A 10 12|||Nn|||cars|||REQUIRED|||-NONE-|||0
A 13 15|||Nn|||the roads|||REQUIRED|||-NONE-|||0
A 15 16|||SVA|||become|||REQUIRED|||-NONE-|||0

S A better idea is to make the public transport cheap and confortable for all people .
A 6 7|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 11 12|||Mec|||comfortable|||REQUIRED|||-NONE-|||0

S I visited Vienna in the last year and I was surprised from the trams there .
A 3 4|||Prep||||||REQUIRED|||-NONE-|||0
A 4 5|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 7 7|||Mec|||,|||REQUIRED|||-NONE-|||0
A 11 12|||Prep|||at|||REQUIRED|||-NONE-|||0

S They are clean and fast , and in the day they come in every five minutes .
A 7 8|||Prep|||during|||REQUIRED|||-NONE-|||0
A 11 12|||Wci|||arrive|||REQUIRED|||-NONE-|||0
A 12 13|||Prep||||||REQUIRED|||-NONE-|||0

S Nobody needs to drive to the centre , so the streets are full of people and not cars .
A 15 17|||Wci|||rather than|||REQUIRED|||-NONE-|||0

S I wish my city will be like that with trees on every street .
A 4 5|||Vm|||could|||REQUIRED|||-NONE-|||0
A 10 11|||Prep|||in|||REQUIRED|||-NONE-|||0

S Yesterday evening I have seen a documentary on television about the ocean .
A 3 5|||Vt|||saw|||REQUIRED|||-NONE-|||0
A 9 12|||Nn|||about the oceans|||REQUIRED|||-NONE-|||0

S It was realised by a young woman who comes from a fishing village in Brittany .
A 2 3|||Wci|||directed|||REQUIRED|||-NONE-|||0

S The film explains us why the fish of our seas disappear since thirty years .
A 3 4|||Pref||||||REQUIRED|||-NONE-|||0
A 5 6|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 7 8|||Prep|||in|||REQUIRED|||-NONE-|||0
A 10 11|||Vt|||have been disappearing|||REQUIRED|||-NONE-|||0
A 11 12|||Prep|||for|||REQUIRED|||-NONE-|||0

S There was a lot of informations and sometimes the images were really shocking .
A 2 6|||Wtone|||a great deal of information|||REQUIRED|||-NONE-|||0
A 7 12|||WOadv|||the images were sometimes really|||REQUIRED|||-NONE-|||0

S I am agree with the director that we eat too much fishes in Europe .
A 1 3|||Vform|||agree|||REQUIRED|||-NONE-|||0
A 8 9|||Vt|||are eating|||REQUIRED|||-NONE-|||0
A 11 12|||Nn|||fish|||REQUIRED|||-NONE-|||0

S But I do not think that we have to stop completely to eat them .
A 0 1|||Wtone|||However ,|||REQUIRED|||-NONE-|||0
A 7 9|||Vm|||should|||REQUIRED|||-NONE-|||0
A 9 13|||WOinc|||completely stop eating|||REQUIRED|||-NONE-|||0
A 13 14|||Pref|||it|||REQUIRED|||-NONE-|||0

S In the North of France , a lot of families live thanks to the sea .
A 11 13|||Prep|||from|||REQUIRED|||-NONE-|||0

S If they can not sell their fish in the port , they will not have nothing to live .
A 13 14|||Rloc-||||||REQUIRED|||-NONE-|||0
A 18 18|||Prep|||on|||REQUIRED|||-NONE-|||0

S In the other hand , the nature needs time and silence for to recover .
A 0 1|||Prep|||On|||REQUIRED|||-NONE-|||0
A 5 6|||ArtOrDet||||||REQUIRED|||-NONE-|||0
A 10 11|||Wci|||quiet|||REQUIRED|||-NONE-|||0
A 11 12|||Prep||||||REQUIRED|||-NONE-|||0

S We should eat less fish and choose the better one from small boats .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I am belonging to a small village in the north of India .
A 1 4|||Wci|||come from|||REQUIRED|||-NONE-|||0

S Two years back I got admission in a university in Delhi .
A 2 3|||Wci|||ago|||REQUIRED|||-NONE-|||0
A 4 7|||Wci|||was admitted to|||REQUIRED|||-NONE-|||0

S One of my friend was also studying there and he helped me for finding a room near the campus .
A 3 4|||Nn|||friends|||REQUIRED|||-NONE-|||0
A 12 14|||Vform|||find|||REQUIRED|||-NONE-|||0

S In the starting I was missing my mother and the food of home .
A 0 3|||Wci|||At first|||REQUIRED|||-NONE-|||0
A 4 6|||Vt|||missed|||REQUIRED|||-NONE-|||0
A 11 12|||Prep|||from|||REQUIRED|||-NONE-|||0

S The classes were difficult , because the professors were speaking very fastly .
A 8 10|||Vt|||spoke|||REQUIRED|||-NONE-|||0
A 11 12|||Wform|||fast|||REQUIRED|||-NONE-|||0

S I used to sit in the library till late night for understanding the lectures .
A 7 10|||Prep|||until late at night|||REQUIRED|||-NONE-|||0
A 10 12|||Vform|||to understand|||REQUIRED|||-NONE-|||0

S After few months in the city everything became more easy for me .
A 1 1|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 6 6|||Mec|||,|||REQUIRED|||-NONE-|||0
A 8 10|||Wform|||much easier|||REQUIRED|||-NONE-|||0

S Now I am having many friends from the different states of India .
A 2 4|||Vt|||have got|||REQUIRED|||-NONE-|||0
A 7 8|||ArtOrDet||||||REQUIRED|||-NONE-|||0

S We celebrate all the festivals together and share the sweets from our homes with the neighbours .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I can say that these years in the city have made me a stronger person .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

