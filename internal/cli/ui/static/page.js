'use strict';

// The page works without this script, which adds keys, and shows results while the user types.

const help = document.getElementById('help');
document.querySelector('[data-help]').addEventListener('click', () => help.showModal());

// move moves the focus to the previous (-1) or the next (1) row.
function move(by) {
  const rows = [...document.querySelectorAll('[data-row]')];
  const now = rows.indexOf(document.activeElement);
  const next = now < 0 ? (by > 0 ? 0 : rows.length - 1) : now + by;
  if (rows[next]) rows[next].focus();
}

// After a change, the address names the row at which it was made, where the next one is now.
if (location.hash.startsWith('#at-')) {
  const last = /^#at-\d+$/.test(location.hash) ? [...document.querySelectorAll('[data-row]')].pop() : null;
  (document.getElementById(location.hash.slice(1)) || last)?.focus();
}

// buttonOf returns the button for a key: one of the row with the focus, of a group around the
// row, or of the page.
function buttonOf(key) {
  return [...document.querySelectorAll('[data-key]')].find((b) => {
    const scope = b.closest('[data-scope]');
    return b.dataset.key === key && (!scope || scope.contains(document.activeElement));
  });
}

// A form is sent only once, even if the user presses a key again before the next page appears.
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

// A live form shows the answer in the element that it names, as soon as the user pauses.
// Only the answer to the last request counts.
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
      part.previousElementSibling.textContent = (part.querySelector('h2, .lead') || part).innerText; // screen readers read it out
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

// The first page shows what happens while it is open, and leaves the focus where it is. Waiting for that does not
// keep the daemon from ending.
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function follow(results) {
  for (;;) {
    const feed = results.querySelector('[data-after]');
    let news = false;
    try {
      news = feed && !document.hidden && (await fetch(feed.dataset.page + 'news?after=' + feed.dataset.after)).status === 200;
      if (news) await showNews(results, feed);
    } catch {
      news = false; // recollect ui has ended, perhaps to begin again
    }
    if (!news) await pause(2000);
  }
}

async function showNews(results, feed) {
  const reply = await fetch(feed.dataset.page, { headers: { 'Recollect-Part': '1' } });
  const text = await reply.text();
  if (!reply.ok || !feed.isConnected || sent) return; // the user searches, or says something, meanwhile
  const entry = document.activeElement.closest('[data-entry]')?.dataset.entry;
  results.innerHTML = text;
  results.previousElementSibling.textContent = results.querySelector('.candidate')?.innerText; // screen readers read it out
  if (entry) results.querySelector('[data-entry="' + CSS.escape(entry) + '"] [data-row]')?.focus();
}

if (document.querySelector('[data-after]')) follow(document.getElementById('results'));
