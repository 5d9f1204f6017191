// Corrections in words: the list beside the essay, and the corrected text below it.
(() => {
  "use strict";

  // tokens as people write them; what is typed is tokenised by the server
  const CLOSE_LEFT = / (?=(?:[,.;:?!)\]}%]|\.\.\.|n['’]t|['’](?:s|m|d|ll|re|ve))(?: |$))/gi;
  const CLOSE_RIGHT = /(^| )([([{$£€]) /g;
  const prose = (tokens) => tokens.replace(CLOSE_LEFT, "").replace(CLOSE_RIGHT, "$1$2");

  const quoted = (text) => `“${prose(text)}”`;
  const describe = (edit, words) => {
    if (edit.start === edit.end) return `${quoted(edit.replacement)} inserted`;
    return edit.replacement
      ? `${quoted(words)} → ${quoted(edit.replacement)}`
      : `${quoted(words)} deleted`;
  };

  const make = (name, className, ...content) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...content);
    return made;
  };

  const button = (text, of, action) => {
    const made = make("button", "", text, make("span", "unseen", ` ${of}`));
    made.type = "button";
    made.addEventListener("click", action);
    return made;
  };

  // a line of the list; `title` says the category
  const item = (edit, words, title, { change, remove }) => {
    const what = describe(edit, words);
    return make(
      "li",
      "",
      make("p", "", what),
      make("p", "hint", [title, edit.comment].filter(Boolean).join(" · ")),
      make("p", "row", button("Change", what, change), button("Remove", what, remove)),
    );
  };

  // the words of a sentence with its corrections made
  const correct = (words, edits) => {
    const made = [...words];
    for (const edit of [...edits].reverse()) {
      const instead = edit.replacement ? edit.replacement.split(" ") : [];
      made.splice(edit.start, edit.end - edit.start, ...instead);
    }
    return made.join(" ");
  };

  // paragraphs: lists of sentences
  const corrected = (paragraphs, sheet, list) =>
    paragraphs.map((sentences) => {
      const texts = sentences.map((sentence) =>
        correct(
          sheet.words({ sentence, start: 0, end: Infinity }),
          list.edits.filter((edit) => edit.sentence === sentence),
        ),
      );
      return make("p", "", prose(texts.filter(Boolean).join(" ")));
    });

  globalThis.Listing = { corrected, describe, item, prose, quoted };
})();
