// Blankets by click and, of raw gates, the threshold of the graph. The figure itself is in
// the page already; this only sets classes on it and fills the list of members. Where evidence
// decides, it has decided: nothing here moves the cut.
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
    decided: !e.classList.contains('missed'),
  }));
  const byEvidence = data.forms !== undefined, fields = byEvidence ? 9 + data.stability : 2, leftOutShown = 4;
  let threshold = data.threshold; // gates are whole units of 1/10,000 everywhere
  let chosen = [];

  const decimal = gate => (gate / 10000).toFixed(3);

  // A p-value or q-value, as the page's tables have it.
  function small(value) {
    const exact = value >= 0.001 || value === 0;
    return exact ? String(Number(value.toPrecision(2))) : value.toExponential(1).replace('.0e', 'e');
  }

  // What the page holds beside a target: by evidence what is decided first, else the largest
  // gates first.
  function blanket(target) {
    const list = data.blankets[target], members = [];
    for (let k = 0; k < list.length; k += fields) {
      const [variable, gate, p, q, effect, form, named, verdict, without, stability] = list.slice(k, k + fields);
      const why = byEvidence ? data.verdicts[verdict] : '';
      members.push({
        target, variable, gate, p, q, effect, form, named, why, without, stability,
        decided: why === 'evidence' || why === 'required' || why === 'stand-in',
      });
    }
    return members;
  }

  const isMember = m => byEvidence ? m.decided : m.gate >= threshold;

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
      const on = byEvidence ? e.decided : e.score >= threshold;
      shown += on;
      right += on && e.real;
      missed += !on && e.real;
      e.element.classList.toggle('off', !on && !e.real);
      e.element.classList.toggle('missed', !on && e.real);
      e.element.classList.toggle('touched', on && (chosen.includes(e.a) || chosen.includes(e.b)));
    }
    if (byEvidence) return;
    byId('threshold-value').textContent = decimal(threshold);
    byId('edge-count').textContent = shown + (shown === 1 ? ' edge' : ' edges') +
      (data.truth ? ': ' + right + ' right, ' + (shown - right) + ' wrong; ' + missed + ' missed' : '');
  }

  function bar(share, className) {
    const box = make('span', undefined, className), fill = make('i');
    fill.style.width = Math.max(1, 100 * share) + '%';
    box.append(fill);
    return box;
  }

  function gateRow(m) {
    const row = make('li', undefined, isMember(m) ? '' : 'below');
    row.append(make('bdi', data.names[m.variable], 'name'), bar(m.gate / 10000), make('b', decimal(m.gate)));
    return row;
  }

  // Why a member is one, or not, where its q-value alone does not say so.
  function reason(m) {
    if (m.why === 'superfluous') return ' · superfluous: given the others, p ' + small(m.without);
    return m.why === 'required' || m.why === 'forbidden' ? ' · ' + m.why + ' by the user' : '';
  }

  function formOf(m) {
    const form = make('span', data.forms[m.form]);
    if (data.forms[m.form] === 'interaction' && m.named >= 0)
      form.append(' with ', make('bdi', data.names[m.named], 'name'));
    else if (m.named === m.target || m.named === m.variable)
      form.append(': ', make('bdi', data.names[m.named], 'name'), ' over ',
        make('bdi', data.names[m.named === m.target ? m.variable : m.target], 'name'));
    return form;
  }

  function evidenceRow(m) {
    const row = make('li', undefined, m.decided ? '' : 'below'), details = make('small');
    if (m.why === 'stand-in') {
      details.append('a stand-in, p ' + small(m.without) + ' · gate ' + decimal(m.gate) +
        ' · no edge by itself (p ' + small(m.p) + '), interchangeable with others');
      row.append(make('bdi', data.names[m.variable], 'name'), make('span'), make('b', '–'), details);
      return row;
    }
    details.append(formOf(m), ' · q ' + small(m.q) + ' · p ' + small(m.p) +
      (data.stability ? ' · stability ' + small(m.stability) : '') + ' · gate ' + decimal(m.gate) +
      reason(m));
    row.append(make('bdi', data.names[m.variable], 'name'),
      bar(Math.abs(m.effect) / 100, ['', 'rising', 'falling'][m.form] || 'other'),
      make('b', (m.effect / 100).toFixed(2)), details);
    return row;
  }

  function listMembers(members) {
    const list = byId('members'), inside = members.filter(isMember).length;
    list.replaceChildren();
    const shown = byEvidence ? inside + leftOutShown : Math.max(inside + 4, 8);
    members.slice(0, shown).forEach((m, k) => {
      if (byEvidence && k === inside)
        list.append(make('li', 'Left out, may be due to chance' + ['superfluous', 'forbidden']
          .filter(why => members.slice(inside, shown).some(m => m.why === why))
          .map(why => ' or ' + why).join('') + ':', 'divider'));
      list.append(byEvidence ? evidenceRow(m) : gateRow(m));
    });
    return inside;
  }

  // The blanket of a set is those of its targets, put together: of each other variable, the target
  // to which it is a member; of several such, or none, the closest (zf_blanket_decide).
  function border() {
    const found = new Map(), order = (a, b) => b.decided - a.decided || a.p - b.p;
    chosen.forEach(target => blanket(target).forEach(m => {
      if (chosen.includes(m.variable)) return;
      const before = found.get(m.variable);
      if (!before || order(m, before) < 0) found.set(m.variable, m);
    }));
    return Array.from(found.values()).sort(order);
  }

  function count(n, word) {
    return n + ' ' + word + (n === 1 ? '' : 's');
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
    const cut = byEvidence ? ['--fdr', String(data.fdr)] : ['--threshold', decimal(threshold)];
    ['zeroflow', 'blanket', shellWord(data.model), '--target', shellWord(names.join(','))].concat(cut).forEach(
      word => command.append(make('span', word), ' '));
    command.hidden = byEvidence && chosen.length > 1;
    if (chosen.length > 1) {
      title.append('A set of ' + chosen.length + ' variables: ', make('bdi', names.join(', '), 'name'));
      if (!byEvidence) {
        listMembers([]);
        note.textContent = 'The blanket of a set is not the union of its members’ blankets, and this page ' +
          'holds those of single variables only. Ask the model:';
        return [];
      }
      const members = border(), inside = listMembers(members);
      note.textContent = count(inside, 'member') + ': variables with an edge to one of the set. The evidence ' +
        'shown is that of the closest of the chosen variables.';
      return members.filter(isMember).map(m => m.variable);
    }
    title.append('Blanket of ', make('bdi', names[0], 'name'));
    const members = blanket(chosen[0]), inside = listMembers(members);
    note.textContent = byEvidence
      ? count(inside, 'member') + ' of ' + (data.names.length - 1) + ' others, at a false discovery rate of ' +
        data.fdr + '. The bar is the effect. On the command line:'
      : count(inside, 'member') + ' with a gate of ' + decimal(threshold) + ' or more, which decides ' +
        'nothing; the next ones are paler. On the command line:';
    return members.filter(isMember).map(m => m.variable);
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
  if (!byEvidence) byId('threshold').addEventListener('input', event => {
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
      const [target, variable] = cellAt(event), list = blanket(target);
      const found = list.find(m => m.variable === variable);
      const least = Math.min(...list.map(m => m.gate));
      readout.replaceChildren('To predict ', make('bdi', data.names[target], 'name'), ': ');
      if (target === variable) readout.append('the variable itself');
      else readout.append(make('bdi', data.names[variable], 'name'), byEvidence
        ? found ? ', gate ' + decimal(found.gate) + ', q-value ' + small(found.q) +
          (found.decided ? ': a member' : ': left out') : ': left out'
        : ', gate ' + (found ? decimal(found.gate) : 'below ' + decimal(least + 5)));
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
