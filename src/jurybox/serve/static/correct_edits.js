// The corrections of an essay: a list that can be undone. Spans tell corrections apart, for two of
// them never share one.
(() => {
  "use strict";

  const NAMES = ["sentence", "start", "end", "replacement", "category", "comment"];
  const toEdit = (row) => Object.fromEntries(NAMES.map((name, i) => [name, row[i] ?? ""]));
  const toRow = (edit) => NAMES.map((name) => edit[name]);
  const inOrder = (a, b) => a.sentence - b.sentence || a.start - b.start || a.end - b.end;
  const isAt = (a, b) => a.sentence === b.sentence && a.start === b.start && a.end === b.end;
  const overlaps = (a, b) =>
    a.sentence === b.sentence && (isAt(a, b) || (a.start < b.end && b.start < a.end));

  class EditList {
    constructor(rows) {
      this.adopt(rows);
      this.past = [];
      this.future = [];
    }

    // as the server has them: tokenised, in order; no step of its own
    adopt(rows) {
      this.edits = rows.map(toEdit).sort(inOrder);
    }

    get rows() {
      return this.edits.map(toRow);
    }

    at(span) {
      return this.edits.find((edit) => isAt(edit, span));
    }

    // the correction that a word belongs to
    covering(sentence, place) {
      return this.edits.find(
        (edit) => edit.sentence === sentence && edit.start <= place && place < edit.end,
      );
    }

    overlapping(span, except) {
      return this.edits.find(
        (edit) => overlaps(edit, span) && !(except && isAt(edit, except)),
      );
    }

    put(edit, instead) {
      const kept = this.edits.filter((one) => !(instead && isAt(one, instead)));
      this.#change([...kept, edit].sort(inOrder));
    }

    remove(span) {
      this.#change(this.edits.filter((one) => !isAt(one, span)));
    }

    undo() {
      this.#step(this.past, this.future);
    }

    redo() {
      this.#step(this.future, this.past);
    }

    #change(edits) {
      this.past.push(this.edits);
      this.future = [];
      this.edits = edits;
    }

    #step(from, to) {
      if (!from.length) return;
      to.push(this.edits);
      this.edits = from.pop();
    }
  }

  globalThis.EditList = EditList;
})();
