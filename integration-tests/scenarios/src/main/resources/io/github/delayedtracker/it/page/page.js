// Asks the page's server once a second and shows what it answers.
'use strict';

const BARS = 60;
const LISTED = 50;
const RATE_SECONDS = 5;
const SURE_MILLIS = 5000;
const DOUBLE_CLICK_MILLIS = 500;
const ANSWERED_MILLIS = 8000;
const OLD_MILLIS = 5000;
// As in the style sheet.
const NARROW = matchMedia('(max-width: 600px)');

const byId = id => document.getElementById(id);
const number = value => value.toLocaleString('en-US');

// The token comes in the fragment and stays with this tab, so that the page can be loaded again.
const takeToken = () => {
  if (location.hash.length > 1 && location.hash !== '#messages') {
    sessionStorage.setItem('token', location.hash.slice(1));
    history.replaceState(null, '', '/');
  }
  return sessionStorage.getItem('token') || '';
};
let token = takeToken();
window.addEventListener('hashchange', () => {
  token = takeToken();
});

/** Asks the server; throws its reason where it refuses. */
const ask = async (what, parameters, method = 'GET') => {
  const response = await fetch(`/api/${what}?${new URLSearchParams(parameters)}`, {method, headers: {'X-Page-Token': token}});
  const body = await response.json();
  if (!response.ok) {
    throw new Error(body.reason || `the server answers ${response.status}`);
  }
  return body;
};

/** Shows what is wrong; touched only when it changes, since it is read out aloud then. */
const problem = text => {
  if (byId('problem').textContent !== text) {
    byId('problem').hidden = !text;
    byId('problem').textContent = text;
  }
};

const chosen = () => {
  const option = byId('subscription').selectedOptions[0];
  return option && {topic: option.dataset.topic, subscription: option.dataset.subscription};
};

let shownSubscriptions = '';

const showSubscriptions = all => {
  const texts = all.map(one => `${one.subscription} of ${one.topic}`);
  if (texts.join('\n') !== shownSubscriptions) {
    shownSubscriptions = texts.join('\n');
    const select = byId('subscription');
    const before = chosen();
    select.replaceChildren(...all.map((one, i) => {
      const same = before && before.topic === one.topic && before.subscription === one.subscription;
      const option = new Option(texts[i], texts[i], false, same);
      option.dataset.topic = one.topic;
      option.dataset.subscription = one.subscription;
      return option;
    }));
  }
};

/** A second's growth of a counter, over the last seconds; one that begins anew grows by nothing. */
const rates = (samples, column) => samples.slice(1).map((sample, i) => {
  const before = samples[Math.max(0, i + 1 - RATE_SECONDS)];
  return Math.max(0, (sample[column] - before[column]) * 1000 / Math.max(1, sample[0] - before[0]));
});

const showState = (state, ahead) => {
  const {samples} = state;
  const [overdue, ...dueBy] = state.dueBy;
  byId('clock').textContent = new Date(state.nowMillis).toLocaleTimeString();
  byId('words').replaceChildren(...state.words.map(text => Object.assign(document.createElement('li'), {textContent: text})));
  byId('scheduled').textContent = number(state.scheduled);
  byId('overdue').textContent = number(overdue);
  byId('coarse').hidden = state.exact;
  drawBars(byId('due'), overdue, dueBy.map((count, i) => Math.max(0, count - (i === 0 ? overdue : dueBy[i - 1]))), ahead);
  const last = samples[samples.length - 1] || [0, 0, 0, 0, 0];
  const spanMillis = samples.length ? last[0] - samples[0][0] : 0;
  const outRates = rates(samples, 1);
  byId('out-rate').textContent = short(outRates[outRates.length - 1] || 0);
  const times = samples.map(one => one[0]);
  drawLines(byId('pace'), times.slice(1), [{values: outRates, kind: 'line'}], spanMillis, short,
    `Handed out: ${byId('out-rate').textContent} a second`);
  byId('behind').textContent = lateText(last[2]);
  drawLines(byId('late'), times, [{values: samples.map(one => one[2]), kind: 'behind'}], spanMillis, lateText,
    `Behind the schedule by ${lateText(last[2])}`);
  byId('bytes').textContent = bytesText(last[3]);
  byId('stock').textContent = bytesText(last[4]);
  drawLines(byId('memory'), times, [{values: samples.map(one => one[3]), kind: 'line'}, {values: samples.map(one => one[4]),
    kind: 'stock'}], spanMillis, bytesText, `The index takes ${bytesText(last[3])}, the stock heap ${bytesText(last[4])}`);
};

/** The text of a button is also its name for who cannot see the row. */
const say = (button, text, id) => {
  button.textContent = text;
  button.setAttribute('aria-label', `${text} message ${id}`);
};

const cancel = async (button, where, id) => {
  const now = Date.now();
  if (!button.dataset.pressed || now - button.dataset.pressed > SURE_MILLIS) {
    button.dataset.pressed = now;
    button.classList.add('sure');
    say(button, 'Sure? Cancel', id);
    setTimeout(() => {
      if (!button.disabled && Date.now() - button.dataset.pressed >= SURE_MILLIS) {
        button.classList.remove('sure');
        say(button, 'Cancel', id);
      }
    }, SURE_MILLIS);
    return;
  }
  if (now - button.dataset.pressed < DOUBLE_CLICK_MILLIS) {
    return;
  }
  const row = button.closest('tr');
  const next = row.nextElementSibling && row.nextElementSibling.querySelector('button');
  const focused = document.activeElement === button;
  // The row stays until its answer was shown.
  row.dataset.until = Infinity;
  button.disabled = true;
  if (focused && next) {
    next.focus();
  }
  let answer;
  try {
    const changed = await ask('cancel', {...where, id}, 'POST');
    answer = changed.subscriptions.flatMap(one => one.answers).map(one => one.answer).join(', ');
  } catch (e) {
    answer = e.message;
  }
  button.textContent = answer;
  button.setAttribute('aria-label', `Message ${id}: ${answer}`);
  byId('answer').textContent = `${id}: ${answer}`;
  row.dataset.until = Date.now() + ANSWERED_MILLIS;
};

const newRow = (where, message) => {
  const row = document.createElement('tr');
  row.dataset.id = message.id;
  const button = Object.assign(document.createElement('button'), {type: 'button'});
  say(button, 'Cancel', message.id);
  button.addEventListener('click', () => cancel(button, where, message.id));
  for (const text of [message.id, '', '']) {
    row.insertCell().textContent = text;
  }
  row.insertCell().append(button);
  return row;
};

/** A due time; where the screen is narrow only what tells it apart from now, so that the button beside it is seen. */
const dueText = (millis, nowMillis) => {
  const due = new Date(millis);
  const now = new Date(nowMillis);
  if (!NARROW.matches) {
    return due.toLocaleString();
  }
  if (due.toDateString() === now.toDateString()) {
    return due.toLocaleTimeString();
  }
  const rest = due.getFullYear() === now.getFullYear() ? {hour: '2-digit', minute: '2-digit'} : {year: 'numeric'};
  return due.toLocaleString([], {month: 'short', day: 'numeric', ...rest});
};

/** Rows stay the same elements while their messages are listed, so that the keyboard's focus stays where it is. */
const showList = (where, messages, nowMillis) => {
  const rows = byId('rows');
  const known = new Map([...rows.children].filter(row => row.dataset.until === undefined).map(row => [row.dataset.id, row]));
  const answered = [...rows.children].filter(row => Number(row.dataset.until) > Date.now());
  const shown = messages.map(message => {
    const row = known.get(message.id) || newRow(where, message);
    row.cells[1].textContent = message.dueMillis === null ? 'overdue' : dueText(message.dueMillis, nowMillis);
    row.cells[1].title = message.dueMillis === null ? '' : new Date(message.dueMillis).toLocaleString();
    row.cells[2].textContent = message.dueMillis === null ? '' : spanText(Math.max(0, message.dueMillis - nowMillis));
    return row;
  });
  const wanted = [...answered, ...shown.filter(row => !answered.some(one => one.dataset.id === row.dataset.id))];
  for (const row of [...rows.children]) {
    if (!wanted.includes(row)) {
      row.remove();
    }
  }
  wanted.forEach((row, i) => {
    if (rows.children[i] !== row) {
      rows.insertBefore(row, rows.children[i] || null);
    }
  });
};

// Bars begin at the server's now, whatever this machine's clock says.
let serverAheadMillis = 0;

const look = async () => {
  showSubscriptions(await ask('subscriptions', {}));
  const where = chosen();
  if (!where) {
    problem('No subscription has delayed messages yet.');
    return;
  }
  const ahead = Number(byId('ahead').value);
  const now = Date.now() + serverAheadMillis;
  const until = Array.from({length: BARS}, (_, i) => Math.round(now + (i + 1) * ahead / BARS)).join(',');
  const [state, list] = await Promise.all([ask('state', {...where, until}), ask('list', {...where, limit: LISTED})]);
  serverAheadMillis = state.nowMillis - Date.now();
  if (JSON.stringify(chosen()) === JSON.stringify(where)) {
    showState(state, ahead);
    showList(where, list.subscriptions.flatMap(one => one.messages), state.nowMillis);
  }
  problem(state.sampleAgeMillis > OLD_MILLIS ? 'The broker does not tell its figures: those shown are old.' : '');
};

const goOn = async () => {
  try {
    await look();
  } catch (e) {
    problem(e.message);
  }
  setTimeout(goOn, 1000);
};
// A key that is held down presses once.
byId('rows').addEventListener('keydown', event => event.repeat && event.preventDefault());
byId('subscription').addEventListener('change', () => byId('rows').replaceChildren());
goOn();
