"use strict";
// The sentence browser: reads the page's data, finds the sentences that are asked for, and shows
// twenty of them at a time. `browser_json` in html.py says what the data looks like.
(() => {
  const PER_PAGE = 20;
  const data = JSON.parse(document.getElementById("sentence-data").textContent);
  const [found, count, range] = ["found", "count", "range"].map((id) => document.getElementById(id));
  const filters = document.getElementById("filters");
  const turning = { previous: -1, next: 1 };

  // ---- reading ----

  function readEdit([start, end, replacement, types, annotators, systems]) {
    return { start, end, replacement, types, annotators, systems };
  }

  function readSentence([number, documentNumber, text, edits, skipped]) {
    const tokens = typeof text === "string" ? text.split(" ") : text;
    const read = edits.map(readEdit);
    const looked = data.annotators.length - skipped.length;
    const changed = new Set(read.flatMap((edit) => edit.annotators)).size;
    const places = findMakers(read);
    return { number, document: documentNumber, tokens, edits: read, skipped, looked, changed, places };
  }

  // Which annotators changed each token, and put something into the gap before it. A set without
  // anybody is where only systems did; no set is where nobody did.
  function findMakers(edits) {
    const places = { tokens: [], gaps: [] };
    const add = (list, place, people) => {
      list[place] ??= new Set();
      for (const person of people) list[place].add(person);
    };
    for (const { start, end, annotators } of edits) {
      if (start === end) add(places.gaps, start, annotators);
      for (let place = start; place < end; place += 1) add(places.tokens, place, annotators);
    }
    return places;
  }

  function sameMakers(one, other) {
    if (!one || !other) return one === other;
    return one.size === other.size && [...one].every((person) => other.has(person));
  }

  // Two spans are at one place if they share a token, or one is an insertion in or beside the other.
  function meet(one, other) {
    if (one.start === one.end || other.start === other.end) {
      return one.start <= other.end && other.start <= one.end;
    }
    return one.start < other.end && other.start < one.end;
  }

  // ---- finding ----

  const agreements = {
    everybody: (s) => s.looked > 0 && s.changed === s.looked,
    "same-place": (s) => s.looked > 0 && placesChangedBy(s, s.looked).length > 0,
    most: (s) => 2 * s.changed > s.looked,
    contested: (s) => s.looked > 0 && 3 * s.changed >= s.looked && 3 * s.changed <= 2 * s.looked,
    "only-systems": (s) => s.changed === 0 && s.edits.length > 0,
    nobody: (s) => s.edits.length === 0,
  };

  function placesChangedBy({ places }, least) {
    const spans = [];
    places.tokens.forEach(({ size }, k) => size >= least && spans.push({ start: k, end: k + 1 }));
    places.gaps.forEach(({ size }, k) => size >= least && spans.push({ start: k, end: k }));
    return spans;
  }

  const changes = {
    any: () => true,
    shared: (edit) => edit.annotators.length > 0,
    alone: (edit) => edit.annotators.length === 0,
  };

  // A place that more than half corrected, and the system did not touch.
  function missed(sentence, system, isType) {
    const least = Math.floor(sentence.looked / 2) + 1;
    const own = sentence.edits.filter((edit) => edit.systems.includes(system));
    return placesChangedBy(sentence, least).some(
      (place) =>
        !own.some((edit) => meet(edit, place)) &&
        sentence.edits.some((e) => e.annotators.length && isType(e) && meet(e, place)),
    );
  }

  // Type and system are asked of one and the same edit.
  function editMatches(wanted) {
    const isType = wanted.type === null ? () => true : (edit) => edit.types.includes(wanted.type);
    if (wanted.change === "missed") {
      const systems = wanted.system === null ? data.systems.map((_, k) => k) : [wanted.system];
      return (sentence) => systems.some((system) => missed(sentence, system, isType));
    }
    const isSystems = (edit) =>
      wanted.system === null ? edit.systems.length > 0 : edit.systems.includes(wanted.system);
    const isChange = changes[wanted.change];
    if (!isChange && wanted.type === null) return () => true;
    return ({ edits }) =>
      edits.some((edit) => isType(edit) && (!isChange || (isSystems(edit) && isChange(edit))));
  }

  function wordsOf(sentence) {
    sentence.words ??= [sentence.tokens.join(" "), ...sentence.edits.map((e) => e.replacement)]
      .join("\n")
      .toLowerCase();
    return sentence.words;
  }

  function readFilters() {
    const given = new FormData(filters);
    const index = (name) => (given.get(name) ? Number(given.get(name)) : null);
    const system = index("system");
    // to name a system and nothing else means: what did it change?
    const change = given.get("change") || (system === null ? "" : "any");
    return {
      words: given.get("words").trim().toLowerCase(),
      agreement: agreements[given.get("agreement")],
      type: index("type"),
      system,
      change,
      document: index("document"),
    };
  }

  function find() {
    const wanted = readFilters();
    const matches = editMatches(wanted);
    return sentences.filter(
      (s) =>
        (wanted.document === null || s.document === wanted.document) &&
        (!wanted.agreement || wanted.agreement(s)) &&
        matches(s) &&
        (!wanted.words || wordsOf(s).includes(wanted.words)),
    );
  }

  // ---- showing ----

  function make(tag, className, ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
  }

  function levelOf(changed, looked) {
    if (changed === looked) return 4;
    if (2 * changed > looked) return 3;
    return 4 * changed > looked ? 2 : 1;
  }

  function markPlace(words, changed, looked, isGap) {
    if (changed === 0) {
      const mark = make("span", "system-only", words);
      mark.title = "only systems changed this";
      return mark;
    }
    const mark = make("mark", `level-${levelOf(changed, looked)}`, words);
    mark.append(make("sub", "", `${changed}/${looked}`));
    mark.title = `${changed} of ${looked} ${isGap ? "inserted something here" : "changed this"}`;
    return mark;
  }

  // The source; neighbours that the same people changed are one mark.
  function showSource({ tokens, places, looked }) {
    const shown = make("p", "source");
    const show = (words, makers, isGap) =>
      shown.append(makers ? markPlace(words, makers.size, looked, isGap) : words, " ");
    let first = 0;
    for (let place = 0; place <= tokens.length; place += 1) {
      const inserted = places.gaps[place];
      const before = places.tokens[place - 1];
      const isEnd = place === tokens.length || inserted || !sameMakers(before, places.tokens[place]);
      if (isEnd && first < place) {
        show(tokens.slice(first, place).join(" "), before, false);
        first = place;
      }
      if (inserted) show("+", inserted, true);
    }
    return shown;
  }

  const bySpan = (one, other) => one.start - other.start || one.end - other.end;

  function correctedText({ tokens }, edits) {
    const words = [];
    let place = 0;
    for (const edit of edits) {
      words.push(...tokens.slice(place, edit.start), edit.replacement);
      place = Math.max(place, edit.end);
    }
    return [...words, ...tokens.slice(place)].filter(Boolean).join(" ");
  }

  // Who wrote what: equal texts once, with the names of all who wrote them.
  function versionsOf(sentence, names, isBy) {
    const versions = new Map();
    names.forEach((name, number) => {
      const edits = sentence.edits.filter((edit) => isBy(edit, number)).sort(bySpan);
      const text = correctedText(sentence, edits);
      if (!versions.has(text)) versions.set(text, { names: [], edits });
      versions.get(text).names.push(name);
    });
    return [...versions.values()];
  }

  function showChange(sentence, edit) {
    const parts = [];
    const deleted = sentence.tokens.slice(edit.start, edit.end).join(" ");
    if (deleted) parts.push(make("del", "", deleted));
    if (deleted && edit.replacement) parts.push(" ");
    if (edit.replacement) parts.push(make("ins", "", edit.replacement));
    const types = edit.types.map((type) => data.types[type]).join(", ");
    const shown = make("span", "change", ...parts);
    if (types) shown.title = types;
    return shown;
  }

  function showAgreement(sentence, edit) {
    const people = edit.annotators.length;
    const place = sentence.edits.filter((other) => meet(other, edit));
    const others = new Set(place.flatMap((other) => other.annotators)).size - people;
    const badge = make("span", people ? "made-by" : "made-by alone", `${people} of ${sentence.looked}`);
    badge.title =
      `${people} of ${sentence.looked} people made this edit` +
      (others ? `; ${others} made another one here` : "");
    return badge;
  }

  function showVersion(sentence, edits, isSystem) {
    const shown = make("dd", "");
    if (!edits.length) {
      shown.append(make("span", "untouched", "left as it is"));
      return shown;
    }
    let place = 0;
    for (const edit of edits) {
      const kept = sentence.tokens.slice(place, edit.start).join(" ");
      if (kept) shown.append(kept, " ");
      shown.append(showChange(sentence, edit), " ");
      if (isSystem && sentence.looked) shown.append(showAgreement(sentence, edit), " ");
      place = Math.max(place, edit.end);
    }
    shown.append(sentence.tokens.slice(place).join(" "));
    const types = [...new Set(edits.flatMap((edit) => edit.types))].map((type) => data.types[type]);
    if (types.length) shown.append(" ", make("span", "types", types.join(" · ")));
    return shown;
  }

  function showVersions(sentence, title, versions, isSystem) {
    const list = make("dl", "versions");
    for (const { names, edits } of versions) {
      const isAll = versions.length === 1 && names.length > 3;
      const name = make("dt", "", isAll ? `all ${names.length}` : names.join(", "));
      list.append(make("div", "", name, showVersion(sentence, edits, isSystem)));
    }
    return versions.length ? [make("h4", "", title), list] : [];
  }

  function describe({ changed, looked, skipped }) {
    if (!looked) return "nobody looked at it";
    const left = skipped.length ? `; not looked at by ${skipped.map((k) => data.annotators[k]).join(", ")}` : "";
    return `${changed} of ${looked} changed it${left}`;
  }

  function showSentence(sentence) {
    const { number, skipped } = sentence;
    const link = make("a", "", `Sentence ${number}`);
    link.href = `#s${number}`;
    const head = make("h3", "", link);
    const about = [data.documents[sentence.document], describe(sentence)].filter(Boolean);
    const shown = make("article", "sentence", head, make("p", "about", about.join(" · ")));
    shown.id = `s${number}`;
    shown.tabIndex = -1;
    const who = (edit, k) => edit.annotators.includes(k);
    const people = data.annotators.map((_, k) => k).filter((k) => !skipped.includes(k));
    const peoplesVersions = versionsOf(
      sentence,
      people.map((k) => data.annotators[k]),
      (edit, k) => who(edit, people[k]),
    ).sort((one, other) => other.names.length - one.names.length);
    const systemsVersions = versionsOf(sentence, data.systems, (edit, k) => edit.systems.includes(k));
    shown.append(
      showSource(sentence),
      ...showVersions(sentence, "People", peoplesVersions, false),
      ...showVersions(sentence, "Systems", systemsVersions, true),
    );
    return shown;
  }

  // ---- the state: what was found, and which page of it is shown ----

  const sentences = data.sentences.map(readSentence);
  let matching = sentences;
  let page = 0;

  function show() {
    const first = page * PER_PAGE;
    const shown = matching.slice(first, first + PER_PAGE);
    found.replaceChildren(...shown.map(showSentence));
    count.textContent = `${matching.length} of ${sentences.length} sentences`;
    count.dataset.printed = matching.length > shown.length ? `, of which ${first + 1} to ${first + shown.length} are shown here` : "";
    range.textContent = shown.length ? `${first + 1}–${first + shown.length} of ${matching.length}` : "";
    document.getElementById("previous").disabled = page === 0;
    document.getElementById("next").disabled = first + PER_PAGE >= matching.length;
  }

  function filter() {
    matching = find();
    page = 0;
    show();
  }

  // A sentence by its number: on the page of what is found, or of everything.
  function goTo(number) {
    const isIt = (sentence) => sentence.number === number;
    if (!sentences.some(isIt)) {
      count.textContent = `There is no sentence ${number}.`;
      count.dataset.printed = "";
      return;
    }
    if (!matching.some(isIt)) {
      filters.reset();
      matching = sentences;
    }
    page = Math.floor(matching.findIndex(isIt) / PER_PAGE);
    show();
    const target = document.getElementById(`s${number}`);
    target.classList.add("asked");
    target.scrollIntoView();
    target.focus({ preventScroll: true });
  }

  function followLink() {
    const asked = /^#s(\d+)$/.exec(location.hash);
    if (asked) goTo(Number(asked[1]));
  }

  filters.addEventListener("input", (event) => event.target.name !== "number" && filter());
  filters.addEventListener("change", (event) => {
    const number = event.target.name === "number" ? event.target.value.trim() : "";
    if (!/^\d+$/.test(number)) return;
    if (location.hash === `#s${number}`) followLink();
    else location.hash = `#s${number}`;
  });
  document.getElementById("clear").addEventListener("click", () => {
    filters.reset();
    filter();
  });
  filters.addEventListener("submit", (event) => event.preventDefault());
  for (const [id, by] of Object.entries(turning)) {
    document.getElementById(id).addEventListener("click", () => {
      page += by;
      show();
      found.firstElementChild.scrollIntoView();
      found.firstElementChild.focus({ preventScroll: true });
    });
  }
  addEventListener("hashchange", followLink);
  document.getElementById("browser").hidden = false;
  show();
  followLink();
})();
