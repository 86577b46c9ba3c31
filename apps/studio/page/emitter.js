// Who wants to know: names of changes, and who listens to them.

export class Emitter {
  /** @type {Map<string, Set<() => void>>} */
  #listeners = new Map();

  /** @param {string} names one or several, with spaces between @param {() => void} listener */
  on(names, listener) {
    for (const name of names.split(' ')) {
      let set = this.#listeners.get(name);
      if (!set) this.#listeners.set(name, (set = new Set()));
      set.add(listener);
    }
  }

  /** Hears of it the next time, and not again. @param {string} name @param {() => void} listener */
  once(name, listener) {
    const heard = () => {
      this.#listeners.get(name)?.delete(heard);
      listener();
    };
    this.on(name, heard);
  }

  /** @param {string} name */
  emit(name) {
    for (const listener of this.#listeners.get(name) ?? []) listener();
  }
}
