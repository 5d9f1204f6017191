// The form in which a correction is written: what is marked, what should stand there, and why.
(() => {
  "use strict";

  const find = (id) => document.getElementById(id);
  const { describe, prose, quoted } = Listing;

  class Panel {
    constructor(form, sheet, list, kept) {
      Object.assign(this, { form, sheet, list, kept });
      this.fields = ["replacement", "category", "comment"].map(find);
      [this.replacement, this.category] = this.fields;
      this.filled = ["", "", ""]; // what the fields held when they were filled in
      this.editing = null; // the span of the correction that is being changed
      this.titles = new Map([...this.category.options].map((one) => [one.value, one.textContent]));
      this.category.addEventListener("change", () => this.#explain());
      form.addEventListener("input", () => {
        this.complain("");
        this.keep();
      });
    }

    textOf(span) {
      return this.sheet.words(span).join(" ");
    }

    describe(edit) {
      return describe(edit, this.textOf(edit));
    }

    // --- what is typed ---

    get held() {
      return this.fields.map((field) => field.value);
    }

    get isTyped() {
      return !this.form.hidden && this.held.some((text, i) => text !== this.filled[i]);
    }

    fill(values) {
      this.filled = values;
      this.#put(values);
    }

    // a new mark: what was typed stays, what was only filled in gives way
    fillFor(mark) {
      if (!this.isTyped) this.fill([mark ? prose(this.textOf(mark)) : "", "", ""]);
      this.editing = null;
      this.refresh();
    }

    forget() {
      this.editing = null;
      this.fill(["", "", ""]);
      this.refresh();
    }

    hasUnfinished() {
      if (!this.isTyped) return false;
      this.complain("Please apply or cancel this correction first.");
      this.replacement.focus();
      return true;
    }

    // what is typed and not applied yet survives the page
    keep() {
      const { editing, filled, held } = this;
      if (this.isTyped) this.kept.keep({ panel: { mark: this.sheet.mark, editing, filled, held } });
      else this.kept.drop("panel");
    }

    reopen({ mark, editing, filled, held }) {
      if (editing && !this.list.at(editing)) return; // that correction is gone
      this.sheet.markSpan(mark);
      Object.assign(this, { editing, filled });
      this.#put(held);
      this.refresh();
    }

    #put(values) {
      this.fields.forEach((field, i) => {
        field.value = values[i];
      });
    }

    // --- what is shown ---

    refresh() {
      const { mark } = this.sheet;
      this.form.hidden = !mark;
      this.complain("");
      this.keep();
      if (!mark) return;
      const isInsertion = mark.start === mark.end;
      find("marked").textContent = this.#title(mark);
      find("about-replacement").textContent = isInsertion
        ? "What is missing here."
        : "Leave it empty to delete the marked words.";
      find("remove").hidden = !this.editing;
      for (const one of this.form.querySelectorAll("[data-do]")) {
        one.hidden = Boolean(this.editing) || (isInsertion && !one.dataset.do.startsWith("more"));
      }
      this.#explain();
      this.sheet.reveal(); // on a phone the panel covers half of the page
    }

    complain(text) {
      const place = find("panel-problem");
      place.textContent = text;
      place.hidden = !text;
    }

    #title(mark) {
      if (mark.start < mark.end) return quoted(this.textOf(mark));
      const [before, after] = [mark.start - 1, mark.start].map((place) =>
        this.textOf({ ...mark, start: Math.max(0, place), end: place + 1 }),
      );
      if (!before) return `Insert before ${quoted(after)}`;
      if (!after) return `Insert after ${quoted(before)}`;
      return `Insert between ${quoted(before)} and ${quoted(after)}`;
    }

    #explain() {
      find("help").textContent = this.category.selectedOptions[0]?.dataset.help ?? "";
    }

    // --- the correction ---

    // the correction that is written; null if something is wrong with it, which is said
    read() {
      const [replacement, category, comment] = this.held.map((text) =>
        text.trim().replace(/\s+/g, " "),
      );
      const edit = { ...this.sheet.mark, replacement, category, comment };
      const problem = this.#wrong(edit);
      this.complain(problem);
      if (!problem) return edit;
      (category || !problem.includes("category") ? this.replacement : this.category).focus();
      return null;
    }

    #wrong(edit) {
      const other = this.list.overlapping(edit, this.editing);
      if (other) {
        return `This overlaps with ${this.describe(other)}. Change or remove that correction first.`;
      }
      if (edit.replacement.includes("|") || edit.comment.includes("|")) {
        return "Please do without the sign |.";
      }
      if (edit.start === edit.end && !edit.replacement) {
        return "Please write what is to be inserted.";
      }
      if (edit.start < edit.end && prose(edit.replacement) === prose(this.textOf(edit))) {
        return "This is what stands there already. Write something else, or nothing to delete it.";
      }
      return edit.category ? "" : "Please choose a category.";
    }
  }

  globalThis.Panel = Panel;
})();
