// What is not on the server yet, kept in this browser: corrections that could not be saved, and what
// is typed into the panel. A page that is loaded again, after a crash perhaps, begins with it.
(() => {
  "use strict";

  const PREFIX = "jurybox-essay-";
  const DAYS = 14; // what nobody came back for is thrown away

  // browsers may forbid all of this
  const attempt = (action) => {
    try {
      return action();
    } catch {
      return undefined;
    }
  };

  class Kept {
    // token: of the essay; entries are {version, rows, panel}, each part only where there is one
    constructor(token) {
      this.name = PREFIX + token;
      this.entry = attempt(() => JSON.parse(localStorage.getItem(this.name))) ?? {};
      this.works = true;
      attempt(Kept.#tidy);
    }

    static #tidy() {
      for (const name of Object.keys(localStorage).filter((one) => one.startsWith(PREFIX))) {
        const { at } = attempt(() => JSON.parse(localStorage.getItem(name))) ?? {};
        if (!(at > Date.now() - DAYS * 864e5)) localStorage.removeItem(name);
      }
    }

    keep(part) {
      Object.assign(this.entry, part);
      this.#write();
    }

    drop(...names) {
      for (const name of names) delete this.entry[name];
      this.#write();
    }

    #write() {
      const { rows, panel } = this.entry;
      this.works = attempt(() => {
        if (rows || panel) {
          localStorage.setItem(this.name, JSON.stringify({ ...this.entry, at: Date.now() }));
        } else {
          localStorage.removeItem(this.name);
        }
        return true;
      }) ?? false;
    }
  }

  globalThis.Kept = Kept;
})();
