'use strict';
const $ = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

// The theme: the system's, or the one that was chosen here.
const root = document.documentElement;
const stored = (value) => {
  try { // a file may have no storage
    if (value) localStorage.setItem('pausetui-theme', value);
    return localStorage.getItem('pausetui-theme');
  } catch { return null; }
};
if (stored()) root.dataset.theme = stored();
const button = $('#theme');
button.hidden = false;
button.addEventListener('click', () => {
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  stored(root.dataset.theme);
});

// Search: parts that do not hold all words are hidden; details with a match open.
const wasOpen = new Map();
function find() {
  const field = $('#find input');
  if (!field) return;
  $('#find').hidden = false;
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const parts = all('#session .part');
  let shown = 0;
  for (const part of parts) {
    const text = part.textContent.toLowerCase();
    part.hidden = !words.every((word) => text.includes(word));
    if (!part.hidden) shown++;
    for (const details of [part, ...all('details', part)].filter((e) => e.matches('details'))) {
      if (words.length && !wasOpen.has(details)) wasOpen.set(details, details.open);
      const inside = details.textContent.toLowerCase();
      if (words.length) details.open = wasOpen.get(details) || words.some((word) => inside.includes(word));
      else if (wasOpen.has(details)) details.open = wasOpen.get(details);
    }
  }
  if (!words.length) wasOpen.clear();
  for (const group of all('#session .group')) group.hidden = words.length > 0 && !all('.part', group).some((part) => !part.hidden);
  $('#find output').textContent = words.length ? `${shown} of ${parts.length}` : '';
  highlight(words);
}

function highlight(words) {
  if (!CSS.highlights) return;
  const ranges = [];
  const walker = document.createTreeWalker($('#session'), NodeFilter.SHOW_TEXT);
  for (let node; words.length && ranges.length < 2000 && (node = walker.nextNode());) {
    if (node.parentElement.closest('[hidden]')) continue;
    const text = node.data.toLowerCase();
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0 && ranges.length < 2000; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, Math.min(at, node.length));
        range.setEnd(node, Math.min(at + word.length, node.length));
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set('found', new Highlight(...ranges));
}
document.addEventListener('input', (event) => { if (event.target.closest('#find')) find(); });
document.addEventListener('keydown', (event) => {
  const field = $('input[type=search]');
  if (event.key !== '/' || !field || event.target.matches('input')) return;
  event.preventDefault();
  field.focus();
});
find();

// A session that goes on: rows come as events; the rest is read again when it changes.
const live = $('#session')?.dataset.live;
if (live) {
  let reading = false, again = false;
  const read = async () => {
    again = reading;
    if (reading) return;
    reading = true;
    const typed = $('#find input').value, active = document.activeElement === $('#find input');
    try {
      const answer = await fetch('?part');
      if (answer.ok) {
        const fresh = $('#session', new DOMParser().parseFromString(await answer.text(), 'text/html'));
        for (const old of all('details[id]')) {
          const same = all('details[id]', fresh).find((details) => details.id === old.id);
          if (same) same.open = old.open;
        }
        $('#session').replaceWith(fresh);
        $('#find input').value = typed;
        if (active) $('#find input').focus();
        wasOpen.clear();
        find();
      }
    } catch { /* the server has ended */ }
    setTimeout(() => { reading = false; if (again) read(); }, 500);
  };
  const source = new EventSource(live);
  source.addEventListener('message', (message) => {
    const event = JSON.parse(message.data);
    if (event.changes) { read(); return; }
    const row = document.createElement('li');
    row.className = 'part ' + event.tone;
    for (const name of ['time', 'kind', 'words', 'actor']) {
      const cell = document.createElement(name === 'time' ? 'time' : 'span');
      cell.className = name;
      cell.textContent = event[name];
      row.append(cell, ' ');
    }
    $('#events').append(row);
    find();
  });
  // The launch that runs gets longer without any event.
  setInterval(() => {
    const row = $('#rates .running');
    if (!row) return;
    row.dataset.began ??= performance.now() - 1000 * row.dataset.seconds;
    const seconds = (performance.now() - row.dataset.began) / 1000;
    $('.ran', row).textContent = `${Math.floor(seconds)} s so far`;
    $('.rate', row).textContent = (60 * row.dataset.failures / seconds).toFixed(1);
    const most = Math.max(...all('#rates .rate').map((cell) => Number(cell.textContent)));
    for (const bar of all('#rates .failed')) bar.setAttribute('width', 100 * $('.rate', bar.closest('tr')).textContent / most || 0);
  }, 1000);
  source.addEventListener('end', () => { source.close(); read(); });
}
