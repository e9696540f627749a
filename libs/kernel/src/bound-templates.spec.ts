import { describe, expect, it } from '@jest/globals';
import { Liquid } from 'liquidjs';
import { boundTemplates, TemplateTime } from './bound-templates.js';

const limits = { strictFilters: true, memoryLimit: 100_000, renderLimit: 60_000, ownPropertyOnly: true };
const engine = boundTemplates(new Liquid(limits));
const escaping = boundTemplates(new Liquid({ ...limits, outputEscape: 'escape' }));
const render = (text: string, from = engine): unknown =>
  from.parseAndRenderSync(text, { name: '<b>', list: ['a', 'b'], day: new Date(0) });

describe('templates within bounds', () => {
  it.each([
    ['{{ name }} {{ list }} {{ list | join: "-" }} {{ nothing }}{{ empty }} {{ 1.5 }} {{ true }}', '<b> ab a-b  1.5 true'],
    ['{% capture c %}{{ name }}{{ name }}{% endcapture %}{{ c | size }}', '6'],
    ['{% for i in (1..3) %}{{ i }}{{ forloop.index }}{% endfor %}', '112233'],
    ['{% raw %}{{ name }}{% endraw %}', '{{ name }}'],
    ['{{ day | date: "%Y" }}', '1970'],
    ['{{ "😀" | split: "" | first }}{{ "%00" | url_decode }}', '��'],
  ])('say what they always said: %s', (text, said) => expect(render(text)).toBe(said)); // prettier-ignore

  it.each([
    '{% for i in (1..9000) %}0123456789ab{% endfor %}',
    '{% assign a = "aaaaaaaa" %}{% for i in (1..20) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}',
    '{% tablerow i in (1..9000) %}{{ i }}{% endtablerow %}',
    `${'{% for i in (1..30) %}'.repeat(4)}${'{% endfor %}'.repeat(4)}`,
    '{% for i in (1..500) %}{{ "2026-01-01" | date: "%A" }}{% endfor %}',
    `${'{% for i in (1..30) %}'.repeat(3)}{{ i | plus: 1 | minus: 1 }}${'{% endfor %}'.repeat(3)}`,
  ])('write and do no more than the limit: %s', (text) => expect(() => render(text)).toThrow(/limit exceeded/));

  it.each(['push: list', 'unshift: list', 'group_by: "x"', 'group_by_exp: "x", "list"', 'raw'])(
    'have no filter %s',
    (filter) => expect(() => render(`{{ list | ${filter} }}`)).toThrow(/undefined filter/),
  );

  it.each(['echo name', 'liquid echo name', 'cycle name, name', 'include "x"', 'render "x"', 'layout "x"', 'block x'])(
    'have no tag %s',
    (tag) => expect(() => render(`{% ${tag} %}`)).toThrow(/not found/),
  );

  it('escape whatever they write of their values', () => {
    expect(render('{{ name }}{{ name | upcase }}{% capture c %}{{ name }}{% endcapture %}', escaping)).toBe(
      '&lt;b&gt;&lt;B&gt;',
    );
  });

  describe('of the work in one tag', () => {
    const quick = boundTemplates(new Liquid({ ...limits, memoryLimit: 500_000, renderLimit: 50 }));
    const grown = (name: string, text: string, times: number): string =>
      `{% assign ${name} = "${text}" %}{% for i in (1..${times}) %}{% assign ${name} = ${name} | append: ${name} %}{% endfor %}`;
    const list =
      '{% assign b = "a,b,c" | split: "," %}{% for i in (1..14) %}{% assign b = b | concat: b %}{% endfor %}';
    const sought = `${grown('h', 'a', 15)}${grown('n', 'a', 13)}{% assign n = n | append: "b" | append: n %}`;

    it.each([
      ['filters after filters', `${grown('a', 'ü', 15)}{{ a${' | url_encode'.repeat(2_000)} | size }}`],
      ['one filter over a list', `${list}{{ b | has_exp: "x", "x.y.z" }}`],
      ['one filter over a list in another', `${list}{{ b | find_exp: "x", "b | has_exp: 'y', 'y == 2'" }}`],
      ['a long text that is looked for', `${sought}{{ h | split: n | size }}`],
      ['a long text that is looked for from the end', `${sought}{{ h | remove_last: n | size }}`],
      ['a long text that a condition looks for', `${sought}{% if h contains n %}{% endif %}`],
    ])('end: %s', (_what, text) => expect(() => render(text, quick)).toThrow(/limit exceeded/));

    it('are not parsed with placeholders in placeholders in placeholders', () => {
      const nested = (depth: number): string => `{{ ${'list['.repeat(depth)}0${']'.repeat(depth)} }}`;
      expect(quick.parse(nested(300))).toHaveLength(1);
      expect(() => quick.parse(nested(301))).toThrow('more than 300 opening brackets');
    });

    it('count what a filter adds to a text', () => {
      expect(() => render(`{% assign a = "üüüüüüüüüü" %}{{ a${' | url_encode'.repeat(4_000)} | size }}`)).toThrow(
        'memory alloc limit exceeded',
      );
    });

    it('leave conditions and filters as they were', () => {
      const text =
        '{% if list contains "b" and name contains "b" and 1 < 2 %}{{ list | where_exp: "x", "x == \'a\'" | join }}{% endif %}' +
        '{{ name | replace: "b", "i" | split: "" | reverse | join: "" }}{% if nothing == empty or not true %}?{% endif %}';
      expect(render(text, quick)).toBe('a>i<');
    });
  });

  describe('of time', () => {
    const stillness = new Int32Array(new SharedArrayBuffer(4));
    const hasty = boundTemplates(new Liquid({ ...limits, renderLimit: 50 }));
    hasty.registerFilter('wait', (ms: number) => Atomics.wait(stillness, 0, 0, ms));
    hasty.registerFilter('work', (ms: number) => {
      const { user } = process.threadCpuUsage();
      while (process.threadCpuUsage().user - user < ms * 1000);
    });

    it('do not count the time in which the machine lets them wait', () => {
      expect(render('{{ 200 | wait }}{{ name }}', hasty)).toBe('timed-out<b>');
    });

    it('may be shared: what one has worked the next one has not', () => {
      const time = new TemplateTime(50);
      const write = (text: string): string => time.share(() => render(text, hasty));
      expect(write('{{ name }}')).toBe('<b>');
      expect(() => write('{{ 100 | work }}{{ name }}')).toThrow('template render limit exceeded');
      expect(() => write('{{ name }}')).toThrow('template render limit exceeded');
      expect(render('{{ name }}', hasty)).toBe('<b>');
    });

    it('end when they have worked for too long', () => {
      expect(() => render('{{ 100 | work }}{{ name }}', hasty)).toThrow('template render limit exceeded');
    });
  });
});
