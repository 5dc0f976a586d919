// Blankets by click and the threshold of the graph. The picture itself is in the
// page already; this only sets classes on it and fills the list of members.
// Names are put in as text, never as HTML.
'use strict';
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = id => document.getElementById(id);
  const graph = byId('graph');
  if (!graph) return;
  const nodes = new Map(Array.from(graph.querySelectorAll('.n'), n => [Number(n.dataset.i), n]));
  const edges = Array.from(graph.querySelectorAll('.e'), e => ({
    element: e, a: Number(e.dataset.a), b: Number(e.dataset.b),
    score: Number(e.dataset.s), real: e.classList.contains('right'),
  }));
  let threshold = data.threshold; // gates are whole units of 1/10,000 everywhere
  let chosen = [];

  const decimal = gate => (gate / 10000).toFixed(3);

  // The members that the page holds for a target, most needed first.
  function blanket(target) {
    const list = data.blankets[target], members = [];
    for (let k = 0; k < list.length; k += 2) members.push({ feature: list[k], gate: list[k + 1] });
    return members;
  }

  function make(tag, text, className) {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  }

  function shellWord(text) {
    return /^[\w.,:\/+-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'";
  }

  function drawEdges() {
    let shown = 0, right = 0, missed = 0;
    for (const e of edges) {
      const on = e.score >= threshold;
      shown += on;
      right += on && e.real;
      missed += !on && e.real;
      e.element.classList.toggle('off', !on && !e.real);
      e.element.classList.toggle('missed', !on && e.real);
      e.element.classList.toggle('touched', on && (chosen.includes(e.a) || chosen.includes(e.b)));
    }
    byId('threshold-value').textContent = decimal(threshold);
    byId('edge-count').textContent = shown + (shown === 1 ? ' edge' : ' edges') +
      (data.truth ? ': ' + right + ' right, ' + (shown - right) + ' wrong; ' + missed + ' missed' : '');
  }

  function listMembers(members) {
    const list = byId('members');
    list.replaceChildren();
    const inside = members.filter(m => m.gate >= threshold).length;
    members.slice(0, Math.max(inside + 4, 8)).forEach(m => {
      const row = make('li', undefined, m.gate >= threshold ? '' : 'below');
      const name = make('bdi', data.names[m.feature], 'name');
      const bar = make('span'), fill = make('i');
      fill.style.width = Math.max(1, m.gate / 100) + '%';
      bar.append(fill);
      row.append(name, bar, make('b', decimal(m.gate)));
      list.append(row);
    });
    return inside;
  }

  function tell() {
    const title = byId('blanket-title'), note = byId('blanket-note'), command = byId('command');
    title.replaceChildren();
    command.hidden = chosen.length === 0;
    if (chosen.length === 0) {
      listMembers([]);
      title.append('Blankets');
      note.textContent = 'Click on a variable, or type its name, to see what is needed to predict it.';
      return [];
    }
    const names = chosen.map(i => data.names[i]);
    command.replaceChildren();
    ['zeroflow', 'blanket', shellWord(data.model), '--target', shellWord(names.join(','))].forEach(
      word => command.append(make('span', word), ' '));
    if (chosen.length > 1) {
      listMembers([]);
      title.append('A set of ' + chosen.length + ' variables: ', make('bdi', names.join(', '), 'name'));
      note.textContent = 'The blanket of a set is not the union of its members’ blankets, and this page ' +
        'holds the answers for single variables only. The model knows; ask it:';
      return [];
    }
    title.append('Blanket of ', make('bdi', names[0], 'name'));
    const members = blanket(chosen[0]), inside = listMembers(members);
    note.textContent = inside + (inside === 1 ? ' member' : ' members') + ' with a gate of ' +
      decimal(threshold) + ' or more; the next ones are paler. A gate near 1: needed; near 0: not. ' +
      'On the command line:';
    return members.filter(m => m.gate >= threshold).map(m => m.feature);
  }

  function draw() {
    const members = tell();
    graph.classList.toggle('chosen', chosen.length > 0);
    nodes.forEach((node, i) => {
      node.classList.toggle('target', chosen.includes(i));
      node.classList.toggle('member', members.includes(i));
      node.setAttribute('aria-pressed', chosen.includes(i));
    });
    drawEdges();
  }

  function choose(i, more) {
    const had = chosen.includes(i);
    const others = more ? chosen.filter(k => k !== i) : [];
    chosen = had && (more || chosen.length === 1) ? others : others.concat(i);
    draw();
  }

  const wantsMore = event => event.shiftKey || event.ctrlKey || event.metaKey || byId('several').checked;
  nodes.forEach((node, i) => {
    node.addEventListener('click', event => choose(i, wantsMore(event)));
    node.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose(i, wantsMore(event));
    });
  });
  byId('find').addEventListener('input', event => {
    const i = data.names.indexOf(event.target.value);
    if (i >= 0 && !chosen.includes(i)) choose(i, byId('several').checked);
  });
  byId('threshold').addEventListener('input', event => {
    threshold = Number(event.target.value);
    draw();
  });

  // What lies under the pointer in the gate matrix, which may show blocks of cells.
  const matrix = document.querySelector('#gates image'), readout = byId('readout');
  function cellAt(event) {
    const box = matrix.getBoundingClientRect(), n = data.names.length;
    const at = share => Math.min(n - 1, Math.max(0, Math.floor(share * n)));
    return [at((event.clientY - box.top) / box.height), at((event.clientX - box.left) / box.width)];
  }
  if (matrix) {
    matrix.addEventListener('pointermove', event => {
      const [target, feature] = cellAt(event), list = blanket(target);
      const found = list.find(m => m.feature === feature);
      const least = list.length ? list[list.length - 1].gate : 0;
      readout.replaceChildren('To predict ', make('bdi', data.names[target], 'name'), ': ');
      if (target === feature) readout.append('the variable itself');
      else readout.append(make('bdi', data.names[feature], 'name'), ', gate ' +
        (found ? decimal(found.gate) : 'below ' + decimal(least + 5)));
    });
    matrix.addEventListener('click', event => {
      choose(cellAt(event)[0], false);
      graph.scrollIntoView({ behavior: 'smooth', block: 'center' });
    });
    matrix.style.cursor = 'crosshair';
  }
  // report.html#NAME opens with that variable chosen.
  const wanted = data.names.indexOf(decodeURIComponent(location.hash.slice(1)));
  if (wanted >= 0) chosen = [wanted];
  document.querySelectorAll('[data-script]').forEach(e => { e.hidden = false; });
  draw();
})();
