// A question that has to be answered before something goes on.

import { h } from './dom.js';

/** Whether somebody says yes. @param {string} words @param {string} yes what the button says */
export function asked(words, yes) {
  return new Promise((/** @type {(answer: boolean) => void} */ then) => {
    const dialog = h(
      'dialog',
      {
        class: 'ask',
        'aria-label': yes,
        onclose: () => {
          dialog.remove();
          then(dialog.returnValue === 'yes');
        },
      },
      h('p', {}, words),
      h(
        'form',
        { method: 'dialog', class: 'pair' },
        h('button', { value: 'no', autofocus: true }, 'Cancel'),
        h('button', { value: 'yes', class: 'primary' }, yes),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Whether a file that is not the document's own may be written over. @param {string} file */
export const replaced = (file) =>
  asked(`${file} is in the working folder already, and is not the file that you opened or saved last.`, 'Replace it');
