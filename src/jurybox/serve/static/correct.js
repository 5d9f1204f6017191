// Correcting an essay: marks become corrections, corrections are saved, the essay is finished.
(() => {
  "use strict";

  const find = (id) => document.getElementById(id);
  const desk = document.querySelector(".desk");
  const [panel, finish] = [find("panel"), find("finish")];
  const [replacement, category, comment] = ["replacement", "category", "comment"].map(find);
  const sent = finish.elements;
  const sheet = new Sheet(find("essay"));
  const list = new EditList(JSON.parse(sent.edits.value));
  const titles = new Map([...category.options].map((one) => [one.value, one.textContent]));
  let editing = null; // the span of the correction that is being changed
  let filled = ["", "", ""]; // what the panel held when it was opened
  let isLeaving = false;

  const quoted = (text) => `“${text}”`;
  const textOf = (span) => sheet.words(span).join(" ");
  const describe = (edit) => {
    if (edit.start === edit.end) return `${quoted(edit.replacement)} inserted`;
    const words = quoted(textOf(edit));
    return edit.replacement ? `${words} → ${quoted(edit.replacement)}` : `${words} deleted`;
  };
  const complain = (place, text) => {
    place.textContent = text;
    place.hidden = !text;
  };
  const say = (text) => {
    find("said").textContent = text;
  };

  // --- saving ---

  const STATES = {
    saving: "Saving …",
    saved: "Saved",
    retrying: "Not saved, trying again",
    conflict: "Not saved",
    refused: "Not saved",
  };

  const onState = (state, told) => {
    find("status").textContent = STATES[state];
    find("status").dataset.state = state;
    if (state === "saved") {
      sent.version.value = told.version;
      complain(find("finish-problem"), told.is_wanted ? "" : TOO_LATE);
      if (!saver.waiting) {
        list.adopt(told.edits);
        show();
      }
    } else if (state === "conflict") {
      find("conflict").hidden = false;
      find("conflict").dataset.version = told.version;
    } else if (state === "refused") {
      complain(find("finish-problem"), told.problem ?? "This could not be saved.");
    }
  };

  const TOO_LATE =
    "Others have finished this essay in the meantime, so it is not needed any more. Load the page " +
    "to go on with the next one.";
  const saver = new Saver(
    desk.dataset.draft,
    { form_word: sent.form_word.value, token: sent.token.value },
    Number(sent.version.value),
    onState,
  );
  const changed = () => {
    show();
    saver.save(list.rows);
  };

  find("theirs").addEventListener("click", () => {
    isLeaving = true;
    location.assign(location.pathname);
  });
  find("ours").addEventListener("click", () => {
    find("conflict").hidden = true;
    saver.overrule(Number(find("conflict").dataset.version), list.rows);
  });
  window.addEventListener("beforeunload", (event) => {
    if (!isLeaving && (!saver.isSaved || isTyped())) event.preventDefault();
  });

  // --- showing what there is ---

  const show = () => {
    sheet.draw(list.edits);
    sent.edits.value = JSON.stringify(list.rows);
    find("undo").disabled = !list.past.length;
    find("redo").disabled = !list.future.length;
    find("none-made").hidden = list.edits.length > 0;
    find("made").replaceChildren(...list.edits.map(item));
    find("preview").replaceChildren(...corrected());
  };

  const button = (text, of, action) => {
    const made = document.createElement("button");
    const hidden = document.createElement("span");
    made.type = "button";
    hidden.className = "unseen";
    hidden.textContent = ` ${of}`;
    made.append(text, hidden);
    made.addEventListener("click", action);
    return made;
  };

  const item = (edit) => {
    const line = document.createElement("li");
    const what = document.createElement("p");
    const kind = document.createElement("p");
    const tools = document.createElement("p");
    what.textContent = describe(edit);
    kind.className = "hint";
    kind.textContent = [titles.get(edit.category) ?? edit.category, edit.comment]
      .filter(Boolean)
      .join(" · ");
    tools.className = "row";
    tools.append(
      button("Change", describe(edit), () => openEdit(edit, true)),
      button("Remove", describe(edit), () => remove(edit)),
    );
    line.append(what, kind, tools);
    return line;
  };

  const corrected = () =>
    [...sheet.element.querySelectorAll(".paragraph")].map((paragraph) => {
      const made = document.createElement("p");
      const lines = [...paragraph.querySelectorAll(".line")].map((line) => {
        const sentence = Number(line.dataset.sentence);
        const words = textOf({ sentence, start: 0, end: Infinity }).split(" ");
        const edits = list.edits.filter((edit) => edit.sentence === sentence);
        for (const edit of edits.reverse()) {
          const instead = edit.replacement ? edit.replacement.split(" ") : [];
          words.splice(edit.start, edit.end - edit.start, ...instead);
        }
        return words.join(" ");
      });
      made.textContent = lines.join(" ");
      return made;
    });

  // --- the panel ---

  const held = () => [replacement.value, category.value, comment.value];
  const isTyped = () => !panel.hidden && held().some((text, i) => text !== filled[i]);

  const fill = (values) => {
    [replacement.value, category.value, comment.value] = filled = values;
  };

  const title = () => {
    const { mark } = sheet;
    if (mark.start < mark.end) return quoted(textOf(mark));
    const around = [mark.start - 1, mark.start].map((place) =>
      textOf({ ...mark, start: Math.max(0, place), end: place + 1 }),
    );
    if (!around[0]) return `Insert before ${quoted(around[1])}`;
    if (!around[1]) return `Insert after ${quoted(around[0])}`;
    return `Insert between ${quoted(around[0])} and ${quoted(around[1])}`;
  };

  const refresh = () => {
    const { mark } = sheet;
    panel.hidden = !mark;
    complain(find("panel-problem"), "");
    if (!mark) return;
    const isInsertion = mark.start === mark.end;
    find("marked").textContent = title();
    find("about-replacement").textContent = isInsertion
      ? "What is missing here."
      : "Leave it empty to delete the marked words.";
    find("remove").hidden = !editing;
    for (const one of panel.querySelectorAll("[data-do]")) {
      one.hidden = Boolean(editing) || (isInsertion && !one.dataset.do.startsWith("more"));
    }
    explain();
  };

  const explain = () => {
    find("help").textContent = category.selectedOptions[0]?.dataset.help ?? "";
  };
  category.addEventListener("change", explain);

  // a new mark: what was typed stays, what was only filled in gives way
  const marked = (isInside = true) => {
    if (!isTyped()) fill([sheet.mark ? textOf(sheet.mark) : "", "", ""]);
    editing = null;
    refresh();
    if (!isInside) say("A correction stays within one sentence.");
  };

  const hasUnfinished = () => {
    if (!isTyped()) return false;
    complain(find("panel-problem"), "Please apply or cancel this correction first.");
    replacement.focus();
    return true;
  };

  // changes to a correction that is there do not go along to another place
  const isBound = () => Boolean(editing) && hasUnfinished();

  const openEdit = (edit, isFocused) => {
    const { sentence, start, end } = edit;
    if (editing && sheet.mark && editing.sentence === sentence && editing.start === start) {
      if (isFocused) replacement.focus();
      return;
    }
    if (hasUnfinished()) return;
    if (start < end) {
      const { tokens } = sheet.lines[sentence];
      sheet.markWords(tokens[start], tokens[end - 1]);
    } else {
      sheet.markPlace(sentence, start);
    }
    editing = { sentence, start, end };
    fill([edit.replacement, edit.category, edit.comment]);
    refresh();
    if (isFocused) replacement.focus();
  };

  const close = () => {
    editing = null;
    fill(["", "", ""]);
    sheet.setMark(null);
    refresh();
  };

  const backToEssay = () => {
    close();
    sheet.element.focus({ preventScroll: true });
  };

  const remove = (span) => {
    if (editing && hasUnfinished()) return;
    say(`Removed: ${describe(list.at(span))}`);
    list.remove(span);
    close();
    changed();
  };

  const wrong = (edit) => {
    const other = list.overlapping(edit, editing);
    if (other) {
      return `This overlaps with ${describe(other)}. Change or remove that correction first.`;
    }
    if (edit.replacement.includes("|") || edit.comment.includes("|")) {
      return "Please do without the sign |.";
    }
    if (edit.start === edit.end && !edit.replacement) return "Please write what is to be inserted.";
    if (edit.start < edit.end && edit.replacement === textOf(edit)) {
      return "This is what stands there already. Write something else, or nothing to delete it.";
    }
    return edit.category ? "" : "Please choose a category.";
  };

  panel.addEventListener("submit", (event) => {
    event.preventDefault();
    const [text, kind, remark] = held().map((one) => one.trim().replace(/\s+/g, " "));
    const edit = { ...sheet.mark, replacement: text, category: kind, comment: remark };
    const problem = wrong(edit);
    complain(find("panel-problem"), problem);
    if (problem) {
      (problem.includes("category") ? category : replacement).focus();
      return;
    }
    list.put(edit, editing);
    say(`Corrected: ${describe(edit)}`);
    backToEssay();
    changed();
  });

  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") backToEssay();
  });
  find("cancel").addEventListener("click", backToEssay);
  find("remove").addEventListener("click", () => {
    const span = editing;
    fill(held()); // what was typed into it goes with it
    remove(span);
  });

  panel.addEventListener("click", (event) => {
    const { mark } = sheet;
    switch (event.target.closest("[data-do]")?.dataset.do) {
      case "more-left":
        sheet.resize(1, 0);
        break;
      case "more-right":
        sheet.resize(0, 1);
        break;
      case "less":
        sheet.resize(0, -1);
        break;
      case "insert-before":
        sheet.markPlace(mark.sentence, mark.start);
        break;
      case "insert-after":
        sheet.markPlace(mark.sentence, mark.end);
        break;
      default:
        return;
    }
    marked();
  });

  // --- the mouse and the finger ---

  let finger = false;
  let wasDragged = false;

  const takeSelection = () => {
    const chosen = sheet.selected();
    if (!chosen || chosen[0] === chosen[1] || isBound()) return false;
    marked(sheet.markWords(...chosen));
    return true;
  };

  sheet.element.addEventListener("pointerdown", (event) => {
    finger = event.pointerType === "touch";
    wasDragged = false;
  });
  document.addEventListener("mouseup", () => {
    if (finger || !takeSelection()) return;
    wasDragged = true;
    document.getSelection().removeAllRanges();
    replacement.focus();
    replacement.select();
  });
  let settling = 0;
  document.addEventListener("selectionchange", () => {
    if (!finger) return;
    clearTimeout(settling);
    settling = setTimeout(takeSelection, 400);
  });

  sheet.element.addEventListener("click", (event) => {
    if (wasDragged) return;
    const hit = event.target.closest(".added, .token, .gap");
    if (!hit) return;
    const sentence = sheet.sentenceOf(hit);
    const edit = hit.matches(".added")
      ? list.edits[Number(hit.dataset.edit)]
      : hit.matches(".token") && list.covering(sentence, sheet.placeOf(hit));
    if (edit) {
      openEdit(edit, !finger);
      return;
    }
    if (isBound()) return;
    let isInside = true;
    if (hit.matches(".gap")) sheet.markPlace(sentence, sheet.placeOf(hit));
    else if (event.shiftKey && sheet.anchor) isInside = sheet.markWords(sheet.anchor, hit);
    else sheet.markWords(hit, hit);
    document.getSelection().removeAllRanges();
    marked(isInside);
    if (!finger) {
      replacement.focus();
      replacement.select();
    }
  });

  // --- the keyboard ---

  // the correction that is meant by what is marked, or by the word at the cursor
  const meant = () => {
    const { mark, cursor } = sheet;
    if (!mark) return list.covering(sheet.sentenceOf(cursor), sheet.placeOf(cursor));
    const isWord = mark.end - mark.start === 1;
    return list.at(mark) ?? (isWord ? list.covering(mark.sentence, mark.start) : undefined);
  };

  const openMarked = () => {
    const edit = meant();
    if (edit) {
      openEdit(edit, true);
      return;
    }
    if (!sheet.mark) sheet.markWords(sheet.cursor, sheet.cursor);
    marked();
    replacement.focus();
    replacement.select();
  };

  const insert = (step) => {
    if (isBound()) return;
    const place = sheet.mark
      ? sheet.mark[step ? "end" : "start"]
      : sheet.placeOf(sheet.cursor) + step;
    sheet.markPlace(sheet.sentenceOf(sheet.cursor), place);
    openMarked();
  };

  const deleteMarked = () => {
    openMarked();
    if (editing) return;
    replacement.value = "";
    category.focus();
  };

  const goTo = (token, isExtending) => {
    if (isBound()) return;
    if (isExtending) {
      const from = sheet.mark && sheet.anchor ? sheet.anchor : sheet.cursor;
      marked(sheet.markWords(from, token));
    } else {
      marked(sheet.markWords(token, token));
    }
  };

  const MOVES = {
    ArrowLeft: () => sheet.beside(-1),
    ArrowRight: () => sheet.beside(1),
    ArrowUp: () => sheet.across(-1),
    ArrowDown: () => sheet.across(1),
    Home: () => sheet.edge(false),
    End: () => sheet.edge(true),
  };
  const ACTIONS = {
    Enter: openMarked,
    F2: openMarked,
    " ": openMarked,
    i: () => insert(0),
    Insert: () => insert(0),
    a: () => insert(1),
    Delete: deleteMarked,
    Backspace: deleteMarked,
    Escape: close,
  };

  sheet.element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key in MOVES) goTo(MOVES[event.key](), event.shiftKey);
    else if (event.key in ACTIONS) ACTIONS[event.key]();
    else return;
    event.preventDefault();
  });
  sheet.element.addEventListener("focus", () => sheet.moveTo(sheet.cursor));

  const step = (isBack) => {
    if (hasUnfinished()) return;
    close();
    if (isBack) list.undo();
    else list.redo();
    say(isBack ? "Undone" : "Done again");
    changed();
  };
  find("undo").addEventListener("click", () => step(true));
  find("redo").addEventListener("click", () => step(false));
  document.addEventListener("keydown", (event) => {
    // in a text field these keys undo what is typed there
    if (!(event.ctrlKey || event.metaKey) || event.target.matches("input, select")) return;
    const key = event.key.toLowerCase();
    const isRedo = key === "y" || (key === "z" && event.shiftKey);
    if (!isRedo && key !== "z") return;
    event.preventDefault();
    if ((isRedo ? list.future : list.past).length) step(!isRedo);
  });

  // --- the end ---

  const send = async () => {
    if (!(await saver.flush())) {
      if (find("finish-problem").hidden) {
        complain(find("finish-problem"), "Not everything is saved yet. Please try again.");
      }
      return;
    }
    isLeaving = true;
    finish.submit();
  };

  finish.addEventListener("submit", (event) => {
    event.preventDefault();
    if (hasUnfinished()) return;
    complain(find("finish-problem"), "");
    if (list.edits.length) send();
    else find("no-error").showModal();
  });
  find("is-right").addEventListener("click", () => {
    find("no-error").close();
    sent.no_error.value = "yes";
    send();
  });
  find("go-back").addEventListener("click", () => find("no-error").close());
  window.addEventListener("pageshow", (event) => {
    // the way back leads to what is stored, not to what the browser remembers
    if (event.persisted) location.reload();
  });

  show();
  if (sent.edits.dataset.sent !== undefined) saver.save(list.rows);
})();
