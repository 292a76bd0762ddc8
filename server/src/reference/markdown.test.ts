import assert from 'node:assert/strict'
import { test } from 'node:test'
import { code, heading, list, type Page, piecesOf, steps, table, text } from './blocks.ts'
import { htmlOf } from './html.ts'
import { markdownOf } from './markdown.ts'

const page: Page = {
  path: 'guides/one',
  title: 'One <page>',
  about: 'See `a < b` and [two](events/two#part).',
  blocks: [
    heading('What it is'),
    text('Out to [a place](https://example.com/x) or [here](guides/three).'),
    text('**Press `a` or [here](guides/three)**, not 2 ** 3.'),
    list('one', 'two'),
    steps('first', 'then'),
    table(['a', 'b'], [['`x`', 'y | z']]),
    code('curl', `curl "$URL" | jq '.<a>'`),
  ],
}

test('a page rendered as Markdown has relative links, and its cells and fences keep their contents', () => {
  assert.equal(
    markdownOf(page),
    `# One <page>

See \`a < b\` and [two](../events/two.md#part).

## What it is

Out to [a place](https://example.com/x) or [here](three.md).

**Press \`a\` or [here](three.md)**, not 2 ** 3.

- one
- two

1. first
2. then

| a | b |
|---|---|
| \`x\` | y \\| z |

\`\`\`sh
curl "$URL" | jq '.<a>'
\`\`\`
`,
  )
})

test('a page rendered as HTML is escaped, and its links lead to served pages', () => {
  const made = htmlOf(page).toString()
  assert.match(made, /<h1>One &lt;page&gt;<\/h1>/)
  assert.match(made, /<code>a &lt; b<\/code> and <a href="\/docs\/events\/two#part">two<\/a>/)
  assert.match(made, /<h2 id="what-it-is">/)
  assert.match(made, /href="https:\/\/example\.com\/x"/)
  assert.match(made, /<ol><li>first<\/li><li>then<\/li><\/ol>/)
  assert.match(made, /<strong>Press <\/strong><strong><code>a<\/code><\/strong>.*, not 2 \*\* 3/)
  assert.match(made, /<td>y \| z<\/td>/)
  assert.match(made, /jq &#39;\.&lt;a&gt;&#39;/)
})

test('characters that begin neither code nor a link stay as they are', () => {
  for (const plain of ['a ` b', '[a] (b)', '[a](b c)', 'x[0].key', '``', 'a **b', '2 ** 3', '']) {
    assert.equal(
      piecesOf(plain)
        .map((piece) => piece.text)
        .join(''),
      plain,
    )
    assert.ok(piecesOf(plain).every((piece) => !piece.to && !piece.code))
  }
})
