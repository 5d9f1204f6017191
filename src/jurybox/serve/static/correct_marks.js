// The essay on the page: a cursor that goes from word to word, words or a place that are marked,
// and corrections drawn where they belong. Marks and corrections stay within one sentence.
(() => {
  "use strict";

  const isWithin = (chosen, token) => {
    const word = document.createRange();
    word.setStart(token.firstChild, 0);
    word.setEnd(token.firstChild, token.firstChild.length);
    return (
      chosen.compareBoundaryPoints(Range.START_TO_END, word) > 0 &&
      chosen.compareBoundaryPoints(Range.END_TO_START, word) < 0
    );
  };

  class Sheet {
    constructor(element) {
      this.element = element;
      this.lines = [...element.querySelectorAll(".line")].map((line) => ({
        tokens: [...line.querySelectorAll(".token")],
        gaps: [...line.querySelectorAll(".gap")],
      }));
      this.tokens = this.lines.flatMap((line) => line.tokens);
      this.paragraphs = [...element.querySelectorAll(".paragraph")].map((paragraph) =>
        [...paragraph.querySelectorAll(".line")].map((line) => this.sentenceOf(line)),
      );
      this.mark = null; // {sentence, start, end}
      this.marked = new Set(); // the tokens in it
      this.caret = null; // the gap, where something is to be inserted
      this.anchor = null; // where marking began: a token
      this.cursor = this.tokens[0];
    }

    // --- places ---

    sentenceOf(element) {
      return Number(element.closest(".line").dataset.sentence);
    }

    placeOf(element) {
      return Number(element.dataset.at);
    }

    words(span) {
      const { tokens } = this.lines[span.sentence];
      return tokens.slice(span.start, span.end).map((token) => token.textContent);
    }

    // --- marking ---

    markWords(from, to) {
      const sentence = this.sentenceOf(from);
      const last = this.lines[sentence].tokens.length - 1;
      const other = this.sentenceOf(to) - sentence;
      const place = other > 0 ? last : other < 0 ? 0 : this.placeOf(to);
      const [start, end] = [this.placeOf(from), place].sort((a, b) => a - b);
      this.anchor = from;
      this.moveTo(this.lines[sentence].tokens[place]);
      this.setMark({ sentence, start, end: end + 1 });
      return other === 0;
    }

    markPlace(sentence, place) {
      const { tokens } = this.lines[sentence];
      this.moveTo(tokens[Math.min(place, tokens.length - 1)]);
      this.setMark({ sentence, start: place, end: place });
    }

    markSpan({ sentence, start, end }) {
      const { tokens } = this.lines[sentence];
      if (start < end) this.markWords(tokens[start], tokens[end - 1]);
      else this.markPlace(sentence, start);
    }

    // more or fewer words, from a mark that is there
    resize(left, right) {
      if (!this.mark) return;
      const { sentence, start, end } = this.mark;
      const length = this.lines[sentence].tokens.length;
      const span = { sentence, start: Math.max(0, start - left), end: Math.min(length, end + right) };
      if (span.end <= span.start) return;
      this.anchor = this.lines[sentence].tokens[span.start];
      this.setMark(span);
    }

    setMark(mark) {
      this.mark = mark;
      const { tokens, gaps } = mark ? this.lines[mark.sentence] : { tokens: [], gaps: [] };
      const chosen = new Set(mark ? tokens.slice(mark.start, mark.end) : []);
      for (const token of this.marked) if (!chosen.has(token)) this.#select(token, false);
      for (const token of chosen) if (!this.marked.has(token)) this.#select(token, true);
      this.marked = chosen;
      this.caret?.classList.remove("caret");
      this.caret = mark && mark.start === mark.end ? gaps[mark.start] : null;
      this.caret?.classList.add("caret");
    }

    #select(token, isMarked) {
      token.classList.toggle("marked", isMarked);
      token.setAttribute("aria-selected", String(isMarked));
    }

    // what the browser has selected, as [first word, last word]; null if no word is in it
    selected() {
      const chosen = document.getSelection();
      if (!chosen?.rangeCount || chosen.isCollapsed) return null;
      const range = chosen.getRangeAt(0);
      if (!range.intersectsNode(this.element)) return null;
      const hit = this.tokens.filter((token) => isWithin(range, token));
      return hit.length ? [hit[0], hit.at(-1)] : null;
    }

    // --- the cursor ---

    moveTo(token) {
      this.cursor.classList.remove("at");
      this.cursor = token;
      token.classList.add("at");
      this.element.setAttribute("aria-activedescendant", token.id);
      this.reveal();
    }

    reveal() {
      this.cursor.scrollIntoView({ block: "nearest" });
    }

    beside(step) {
      const place = this.tokens.indexOf(this.cursor) + step;
      return this.tokens[Math.max(0, Math.min(this.tokens.length - 1, place))];
    }

    // the nearest word in the line of text above or below
    across(step) {
      const here = this.cursor.getBoundingClientRect();
      const middle = (box) => (box.left + box.right) / 2;
      const others = this.tokens
        .map((token) => ({ token, box: token.getBoundingClientRect() }))
        .filter(({ box }) => (step > 0 ? box.top > here.bottom - 2 : box.bottom < here.top + 2));
      if (!others.length) return this.cursor;
      const far = ({ box }) => Math.abs(box.top - here.top);
      const line = Math.min(...others.map(far));
      const inLine = others.filter((one) => far(one) < line + here.height / 2);
      const beside = ({ box }) => Math.abs(middle(box) - middle(here));
      return inLine.reduce((a, b) => (beside(b) < beside(a) ? b : a)).token;
    }

    edge(isEnd) {
      const { tokens } = this.lines[this.sentenceOf(this.cursor)];
      return isEnd ? tokens.at(-1) : tokens[0];
    }

    // --- corrections in the text ---

    draw(edits) {
      for (const added of this.element.querySelectorAll(".added")) added.remove();
      for (const token of this.tokens) {
        token.classList.remove("struck");
        token.removeAttribute("aria-label");
      }
      edits.forEach((edit, number) => this.#draw(edit, number));
    }

    #draw(edit, number) {
      const { tokens, gaps } = this.lines[edit.sentence];
      const struck = tokens.slice(edit.start, edit.end);
      for (const token of struck) token.classList.add("struck");
      this.#describe(edit, struck, tokens);
      if (!edit.replacement) return;
      const added = document.createElement("span");
      added.className = struck.length ? "added" : "added inserted";
      added.dataset.edit = number;
      added.setAttribute("aria-hidden", "true"); // the words' own labels say it
      added.textContent = Listing.prose(edit.replacement);
      (struck.at(-1) ?? gaps[edit.start]).after(added);
    }

    #describe(edit, struck, tokens) {
      const say = (token, text) => {
        const before = token.getAttribute("aria-label") ?? token.textContent;
        token.setAttribute("aria-label", `${before}, ${text}`);
      };
      const text = Listing.prose(edit.replacement);
      const becomes = text ? `corrected: ${text}` : "deleted";
      for (const token of struck) say(token, becomes);
      if (struck.length) return;
      const isLast = edit.start === tokens.length;
      const token = isLast ? tokens.at(-1) : tokens[edit.start];
      say(token, `${isLast ? "after" : "before"} it inserted: ${text}`);
    }
  }

  globalThis.Sheet = Sheet;
})();
