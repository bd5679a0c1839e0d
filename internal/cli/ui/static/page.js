'use strict';

// The page works without this script: it adds keys, and shows results while they are typed.

const help = document.getElementById('help');
document.querySelector('[data-help]').addEventListener('click', () => help.showModal());

// move goes to the entry before or after the one that has the focus.
function move(by) {
  const rows = [...document.querySelectorAll('[data-row]')];
  const now = rows.indexOf(document.activeElement);
  const next = now < 0 ? (by > 0 ? 0 : rows.length - 1) : now + by;
  if (rows[next]) rows[next].focus();
}

// A change leads back to the place on the page where it was made: what follows is there now.
if (location.hash.startsWith('#at-')) {
  (document.getElementById(location.hash.slice(1)) || [...document.querySelectorAll('[data-row]')].pop())?.focus();
}

// buttonOf returns the button that a key stands for: of the entry that has the focus, of what
// the entry belongs to, or of the page.
function buttonOf(key) {
  return [...document.querySelectorAll('[data-key]')].find((b) => {
    const scope = b.closest('[data-scope]');
    return b.dataset.key === key && (!scope || scope.contains(document.activeElement));
  });
}

// A form is sent once, however often a key is pressed until the next page is there.
let sent = false;
addEventListener('pageshow', () => { sent = false; });
document.addEventListener('submit', (e) => {
  if (e.target.method !== 'post') return;
  if (sent) e.preventDefault();
  sent = true;
});

function typing(to) {
  return to.isContentEditable || to.matches('textarea, select, input:not([type=range], [type=radio])');
}

document.addEventListener('keydown', (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || help.open) return;
  if (typing(e.target)) {
    if (e.key === 'Escape') e.target.blur();
    return;
  }
  const field = document.querySelector('[data-search]');
  const next = document.querySelector('[data-next]');
  if (e.key === '/' && field) field.focus();
  else if (e.key === 'j') move(1);
  else if (e.key === 'k') move(-1);
  else if (e.key === 'n' && next) next.click();
  else if (e.key === '?') help.showModal();
  else if (buttonOf(e.key)) buttonOf(e.key).click();
  else return;
  e.preventDefault();
});

// A live form shows what it asks for in the element that it names, once nothing has
// been changed for a moment. Of several answers only the last counts.
for (const form of document.querySelectorAll('form[data-live]')) {
  const part = document.getElementById(form.dataset.live);
  let timer, asked = 0;
  const address = () => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      const field = form.elements[name];
      if (value !== '' && (!field.dataset || value !== field.dataset.now)) query.set(name, value);
    }
    return form.action + '?' + query;
  };
  const ask = async () => {
    const number = ++asked, target = address();
    part.classList.add('busy');
    part.setAttribute('aria-busy', 'true');
    try {
      const reply = await fetch(target, { headers: { 'Recollect-Part': '1' } });
      const text = await reply.text();
      if (number !== asked) return;
      if (!reply.ok) throw new Error(text);
      part.innerHTML = text;
      part.previousElementSibling.textContent = (part.querySelector('h2, .lead') || part).innerText; // read out
      history.replaceState(null, '', target);
    } catch (problem) {
      if (number !== asked) return;
      part.textContent = 'No answer: ' + problem.message;
    }
    part.classList.remove('busy');
    part.removeAttribute('aria-busy');
  };
  form.addEventListener('input', (e) => {
    const row = e.target.closest('.slider');
    if (row) {
      row.querySelector('output').value = e.target.value;
      row.classList.toggle('changed', e.target.value !== e.target.dataset.now);
    }
    clearTimeout(timer);
    timer = setTimeout(ask, row ? 350 : 220);
  });
  form.addEventListener('submit', (e) => {
    e.preventDefault();
    clearTimeout(timer);
    ask();
  });
}
