// Correcting an essay: marks become corrections, corrections are saved, the essay is finished.
(() => {
  "use strict";

  const find = (id) => document.getElementById(id);
  const desk = document.querySelector(".desk");
  const finish = find("finish");
  const sent = finish.elements;
  const sheet = new Sheet(find("essay"));
  const list = new EditList(JSON.parse(sent.edits.value));
  const kept = new Kept(sent.token.value);
  const panel = new Panel(find("panel"), sheet, list, kept);
  let isLeaving = false;

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
    retrying: "Not saved: the server does not answer. Trying again …",
    conflict: "Not saved",
    refused: "Not saved",
  };
  const TOO_LATE =
    "Others have finished this essay in the meantime, so it is not needed any more. Load the page " +
    "to go on with the next one.";
  const REFUSED = "This could not be saved. Please load the page: what you did is kept.";
  const TOO_MUCH =
    "These are more corrections and comments than fit into one essay. Please shorten comments.";

  const onState = (state, told) => {
    const status = find("status");
    if (status.textContent !== STATES[state]) status.textContent = STATES[state];
    status.dataset.state = state;
    if (state === "saved") {
      sent.version.value = told.version;
      complain(find("trouble"), told.is_wanted ? "" : TOO_LATE);
      find("conflict").hidden = true;
      if (saver.waiting) return;
      kept.drop("rows", "version");
      list.adopt(told.edits);
      show();
    } else if (state === "conflict") {
      find("conflict").hidden = false;
      find("conflict").dataset.version = told.version;
    } else if (state === "refused") {
      complain(find("trouble"), told.problem ?? (told.status === 413 ? TOO_MUCH : REFUSED));
    }
  };

  const saver = new Saver(
    desk.dataset.draft,
    { csrf_token: sent.csrf_token.value, token: sent.token.value },
    Number(sent.version.value),
    onState,
  );
  const changed = () => {
    show();
    kept.keep({ rows: list.rows, version: saver.version });
    saver.save(list.rows);
  };

  find("theirs").addEventListener("click", () => {
    isLeaving = true;
    kept.drop("rows", "version");
    location.assign(location.pathname);
  });
  find("ours").addEventListener("click", () => {
    find("conflict").hidden = true;
    saver.overrule(Number(find("conflict").dataset.version), list.rows);
    find("undo").focus();
  });
  window.addEventListener("beforeunload", (event) => {
    const isLost = !saver.isSaved || (panel.isTyped && !kept.works);
    if (!isLeaving && isLost) event.preventDefault();
  });

  // --- showing what there is ---

  const item = (edit) =>
    Listing.item(edit, panel.textOf(edit), panel.titles.get(edit.category) ?? edit.category, {
      change: () => openEdit(edit, true),
      remove: () => remove(edit),
    });

  const show = () => {
    sheet.draw(list.edits);
    sent.edits.value = JSON.stringify(list.rows);
    find("undo").disabled = !list.past.length;
    find("redo").disabled = !list.future.length;
    find("none-made").hidden = list.edits.length > 0;
    find("made").replaceChildren(...list.edits.map(item));
    find("preview").replaceChildren(...Listing.corrected(sheet.paragraphs, sheet, list));
  };

  // --- the panel ---

  const marked = (isInside = true) => {
    panel.fillFor(sheet.mark);
    if (!isInside) panel.complain("A correction stays within one sentence.");
  };

  // changes to a correction that is there do not go along to another place
  const isBound = () => Boolean(panel.editing) && panel.hasUnfinished();

  const write = () => {
    panel.replacement.focus();
    panel.replacement.select();
  };

  const openEdit = (edit, isFocused) => {
    const isOpen = panel.editing && list.at(panel.editing) === edit;
    if (!isOpen && panel.hasUnfinished()) return;
    if (!isOpen) {
      const { sentence, start, end } = edit;
      sheet.markSpan(edit);
      panel.editing = { sentence, start, end };
      panel.fill([Listing.prose(edit.replacement), edit.category, edit.comment]);
      panel.refresh();
    }
    if (isFocused) panel.replacement.focus();
  };

  const close = () => {
    sheet.setMark(null);
    panel.forget();
  };

  const backToEssay = () => {
    close();
    sheet.element.focus({ preventScroll: true });
  };

  const remove = (span) => {
    if (panel.hasUnfinished()) return;
    say(`Removed: ${panel.describe(list.at(span))}`);
    list.remove(span);
    backToEssay();
    changed();
  };

  panel.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const edit = panel.read();
    if (!edit) return;
    list.put(edit, panel.editing);
    say(`Corrected: ${panel.describe(edit)}`);
    backToEssay();
    changed();
  });

  panel.form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") backToEssay();
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault(); // from whatever field, menus included, which Enter alone opens
    panel.form.requestSubmit();
  });
  find("cancel").addEventListener("click", backToEssay);
  find("remove").addEventListener("click", () => {
    panel.fill(panel.held); // what was typed into it goes with it
    remove(panel.editing);
  });

  const CHANGES = {
    "more-left": () => sheet.resize(1, 0),
    "more-right": () => sheet.resize(0, 1),
    less: () => sheet.resize(0, -1),
    "insert-before": ({ sentence, start }) => sheet.markPlace(sentence, start),
    "insert-after": ({ sentence, end }) => sheet.markPlace(sentence, end),
  };
  panel.form.addEventListener("click", (event) => {
    const asked = event.target.closest("[data-do]");
    if (!asked) return;
    CHANGES[asked.dataset.do](sheet.mark);
    marked();
    if (asked.hidden) panel.replacement.focus();
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
    write();
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
    if (!finger) write();
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
    write();
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
    if (panel.editing) return;
    panel.replacement.value = "";
    panel.keep();
    panel.category.focus();
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
  sheet.element.addEventListener("focus", () => {
    // not for the mouse: the page would scroll away from under it
    if (sheet.element.matches(":focus-visible")) sheet.moveTo(sheet.cursor);
  });

  const step = (isBack) => {
    if (panel.hasUnfinished()) return;
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
    if (!saver.isSaved) {
      complain(find("finish-problem"), "This is sent as soon as everything is saved.");
    }
    const isSaved = await saver.flush(list.rows);
    complain(find("finish-problem"), isSaved ? "" : "Not everything is saved: see above the essay.");
    if (!isSaved) return;
    isLeaving = true;
    finish.submit();
  };

  finish.addEventListener("submit", (event) => {
    event.preventDefault();
    if (panel.hasUnfinished()) return;
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

  // --- the beginning: what the server has, or what it did not get ---

  const { rows, version, panel: typed } = kept.entry;
  if (sent.edits.dataset.sent === undefined && rows) {
    list.adopt(rows);
    saver.version = version; // so that work in another window since then is seen
  }
  show();
  if (sent.edits.dataset.sent !== undefined || rows) saver.save(list.rows);
  if (typed) panel.reopen(typed);
})();
