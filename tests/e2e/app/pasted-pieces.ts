/** What programs put on the clipboard, in their own shapes, and the text of a block that it becomes. */

interface Piece {
  from: string
  html: string
  is: string
}

const word = (body: string) =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0cm; font-size:11.0pt} --></style><!--[if gte mso 9]><xml><o:shapedefaults/></xml><![endif]--></head><body lang=EN-GB><!--StartFragment-->${body}<!--EndFragment--></body></html>`
const docs = (body: string) =>
  `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1f2e">${body}</b>`
const span = (style: string, text: string) =>
  `<span style="font-size:11pt;font-family:Arial;background-color:transparent;${style}">${text}</span>`

export const pastedPieces: readonly Piece[] = [
  {
    from: 'Word: a paragraph',
    html: word('<p class=MsoNormal>Dear guests,<o:p></o:p></p>'),
    is: 'Dear guests,',
  },
  {
    from: 'Word: bold',
    html: word('<p class=MsoNormal>A <b>bold</b> word</p>'),
    is: 'A **bold** word',
  },
  {
    from: 'Word: bold by style',
    html: word(
      '<p class=MsoNormal>A <span style="mso-bidi-font-weight:bold;font-weight:bold">bold</span> word</p>',
    ),
    is: 'A **bold** word',
  },
  {
    from: 'Word: italic',
    html: word('<p class=MsoNormal>An <i style="mso-bidi-font-style:normal">italic</i> word</p>'),
    is: 'An *italic* word',
  },
  {
    from: 'Word: underlined',
    html: word('<p class=MsoNormal><u>Lined</u> word</p>'),
    is: '[Lined]{u} word',
  },
  {
    from: 'Word: two paragraphs with an empty one',
    html: word(
      '<p class=MsoNormal>One</p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Two</p>',
    ),
    is: 'One\n\nTwo',
  },
  {
    from: 'Word: a list',
    html: word(
      "<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp; </span></span><![endif]>Tea</p><p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Cake</p>",
    ),
    is: '• Tea\n\n• Cake',
  },
  {
    from: 'Word: a heading',
    html: word('<h1>Menu</h1><p class=MsoNormal>Text</p>'),
    is: '**Menu**\n\nText',
  },
  {
    from: 'Word: a link',
    html: word(
      '<p class=MsoNormal>See <a href="https://shop.example/menu"><span style="color:#0563C1;text-decoration:underline">menu</span></a></p>',
    ),
    is: 'See [menu](https://shop.example/menu)',
  },
  {
    from: 'Word: a table',
    html: word(
      '<table class=MsoTableGrid><tr><td><p class=MsoNormal>Tea</p></td><td><p class=MsoNormal>4.50</p></td></tr></table>',
    ),
    is: 'Tea\n\n4.50',
  },
  {
    from: 'Word: line feeds within a sentence',
    html: word('<p class=MsoNormal>A sentence that\nis broken\n  in its source</p>'),
    is: 'A sentence that is broken in its source',
  },
  {
    from: 'Word: colours and fonts',
    html: word(
      '<p class=MsoNormal><span style="font-family:&quot;Comic Sans MS&quot;;color:red;font-size:28pt">Loud</span></p>',
    ),
    is: 'Loud',
  },
  {
    from: 'Word on the web',
    html: '<div class="OutlineElement Ltr SCXW1"><p class="Paragraph SCXW1"><span class="TextRun"><span class="NormalTextRun">Hello </span></span><span class="TextRun" style="font-weight:bold"><span class="NormalTextRun">you</span></span><span class="EOP">&nbsp;</span></p></div>',
    is: 'Hello **you**\u00a0',
  },
  {
    from: 'Docs: a paragraph',
    html: docs(
      `<p dir="ltr" style="line-height:1.38">${span('font-weight:400', 'Dear guests')}</p>`,
    ),
    is: 'Dear guests',
  },
  {
    from: 'Docs: bold',
    html: docs(
      `<p dir="ltr">${span('font-weight:400', 'A ')}${span('font-weight:700', 'bold')}${span('font-weight:400', ' word')}</p>`,
    ),
    is: 'A **bold** word',
  },
  {
    from: 'Docs: italic',
    html: docs(`<p dir="ltr">${span('font-style:italic', 'Soft')}</p>`),
    is: '*Soft*',
  },
  {
    from: 'Docs: underlined',
    html: docs(`<p dir="ltr">${span('text-decoration:underline', 'Lined')}</p>`),
    is: '[Lined]{u}',
  },
  {
    from: 'Docs: bold and italic',
    html: docs(`<p dir="ltr">${span('font-weight:700;font-style:italic', 'Both')}</p>`),
    is: '[Both]{b i}',
  },
  {
    from: 'Docs: a link',
    html: docs(
      `<p dir="ltr"><a href="https://shop.example" style="text-decoration:none">${span('color:#1155cc;text-decoration:underline', 'shop')}</a></p>`,
    ),
    is: '[shop](https://shop.example)',
  },
  {
    from: 'Docs: a link by way of Google',
    html: docs(
      '<p><a href="https://www.google.com/url?q=https://shop.example/a&amp;sa=D">shop</a></p>',
    ),
    is: '[shop](https://shop.example/a)',
  },
  {
    from: 'Docs: two paragraphs',
    html: docs('<p dir="ltr"><span>One</span></p><br /><p dir="ltr"><span>Two</span></p>'),
    is: 'One\n\nTwo',
  },
  {
    from: 'Docs: a list',
    html: docs(
      '<ul><li dir="ltr"><p dir="ltr"><span>Tea</span></p></li><li dir="ltr"><p dir="ltr"><span>Cake</span></p></li></ul>',
    ),
    is: '• Tea\n\n• Cake',
  },
  { from: 'Docs: a heading', html: docs('<h2 dir="ltr"><span>Menu</span></h2>'), is: '**Menu**' },
  {
    from: 'a page: a numbered list',
    html: '<ol start="3"><li>Three</li><li>Four</li></ol>',
    is: '3. Three\n\n4. Four',
  },
  {
    from: 'a page: scripts and styles',
    html: '<style>p{color:red}</style><script>alert(1)</script><p onclick="alert(1)">Words</p><noscript>no</noscript>',
    is: 'Words',
  },
  {
    from: 'a page: a link that runs code',
    html: '<p><a href="javascript:alert(1)">Click</a> and <a href="/menu">menu</a></p>',
    is: 'Click and menu',
  },
  {
    from: 'a page: mail and phone links',
    html: '<p><a href="mailto:a@shop.example">mail</a>, <a href="tel:+34600000000">call</a></p>',
    is: '[mail](mailto:a@shop.example), [call](tel:+34600000000)',
  },
  {
    from: 'a page: a picture that says something',
    html: '<p>Before <img src="https://x.example/a.png" alt="a cake" onerror="alert(1)"> after</p>',
    is: 'Before a cake after',
  },
  {
    from: 'a page: an article',
    html: '<article><header><h1>Title</h1></header><section><p>Text</p><blockquote>Quote</blockquote></section><footer>End</footer></article>',
    is: '**Title**\n\nText\n\nQuote\n\nEnd',
  },
  {
    from: 'a page: divs and line breaks',
    html: '<div>One<br>Two</div><div>Three</div>',
    is: 'One\nTwo\n\nThree',
  },
  { from: 'a page: code with spaces', html: '<pre>a\n  b</pre>', is: 'a\nb' },
  {
    from: 'a page: hidden words',
    html: '<p>Shown<span style="display:none">hidden</span><span hidden>hidden</span></p>',
    is: 'Shown',
  },
  {
    from: 'a page: stars and brackets',
    html: '<p>2*3*4 [x](y) {u}</p>',
    is: '2\\*3\\*4 [x\\](y) {u}',
  },
  {
    from: 'a page: Liquid',
    html: '<p>Hello {{ contact.name }}</p>',
    is: 'Hello {{ contact.name }}',
  },
  {
    from: 'Gmail',
    html: '<div dir="ltr"><div class="gmail_default" style="font-family:verdana">Hi <b>Ana</b>,</div><div><br></div><div>Bye</div></div>',
    is: 'Hi **Ana**,\n\nBye',
  },
  {
    from: 'Outlook',
    html: '<div class="elementToProof" style="font-family:Aptos"><span style="color:black">Hi&nbsp;there</span></div>',
    is: 'Hi\u00a0there',
  },
  {
    from: 'Apple Pages',
    html: '<p style="margin:0;font:11px Helvetica"><span style="font-kerning:none">Hello <b>there</b></span></p>',
    is: 'Hello **there**',
  },
  {
    from: 'Notion',
    html: '<meta charset="utf-8"><p>Hello <strong>there</strong><!-- notionvc: 1 --></p>',
    is: 'Hello **there**',
  },
]

/** A program, and what it puts around a page, a paragraph and a run of words. */
interface Shape {
  from: string
  page: (body: string) => string
  paragraph: (body: string) => string
  run: (text: string, style: string) => string
}

const shapes: readonly Shape[] = [
  {
    from: 'Word',
    page: word,
    paragraph: (body) =>
      `<p class=MsoNormal style='mso-margin-top-alt:auto'>${body}<o:p></o:p></p>`,
    run: (text, style) =>
      `<span lang=EN-US style='font-size:14.0pt;mso-fareast-language:EN-US;${style}'>${text}</span>`,
  },
  {
    from: 'Docs',
    page: docs,
    paragraph: (body) => `<p dir="ltr" style="line-height:1.38;margin-top:0pt">${body}</p>`,
    run: (text, style) => span(style, text),
  },
  {
    from: 'a page',
    page: (body) =>
      `<link rel="stylesheet" href="https://x.example/a.css"><style>.a{color:red}</style><main class="a" onclick="run()">${body}<script>lostscript()</script></main>`,
    paragraph: (body) =>
      `<div class="p" style="color:red;background:url(https://x.example/p.png)">${body}</div>`,
    run: (text, style) =>
      `<font color="red" face="Arial"><span style="${style}">${text}</span></font>`,
  },
  {
    from: 'Outlook',
    page: (body) =>
      `<html><head><style type="text/css">p{margin:0}</style></head><body><div class="WordSection1">${body}</div></body></html>`,
    paragraph: (body) => `<div class="elementToProof" style="font-family:Aptos">${body}</div>`,
    run: (text, style) =>
      `<span class="ContentPasted0" style="color:black;${style}">${text}</span>`,
  },
]

/** How words look in these programs, by the names of the marks that stay. */
const looksOfWords: readonly [marks: string, style: string, tags?: [string, string]][] = [
  ['', ''],
  ['strong', 'font-weight:700'],
  ['em', 'font-style:italic'],
  ['u', 'text-decoration:underline'],
  ['em strong', 'font-weight:bold;font-style:oblique'],
  ['strong', '', ['<b>', '</b>']],
  ['a', '', ['<a href="https://shop.example/" target="_blank" onmouseover="run()">', '</a>']],
  ['', '', ['<a href="javascript:run()">', '</a>']],
  [
    '',
    '',
    [
      '<iframe srcdoc="lostframe"></iframe>',
      '<script>lostscript()</script><svg><text>lostdrawing</text></svg>',
    ],
  ],
]

/** What paragraphs and runs stand in. `one` and `two` are paragraphs, `run` stands within one. */
const layouts: readonly [name: string, build: (shape: Shape, runs: readonly string[]) => string][] =
  [
    ['paragraphs', ({ paragraph }, runs) => runs.map(paragraph).join('')],
    ['one paragraph', ({ paragraph }, runs) => paragraph(runs.join(' '))],
    ['line breaks', ({ paragraph }, runs) => paragraph(runs.join('<br>'))],
    [
      'a list',
      ({ paragraph }, runs) =>
        `<ul>${runs.map((run) => `<li>${paragraph(run)}</li>`).join('')}</ul>`,
    ],
    ['numbers', (_, runs) => `<ol start="2">${runs.map((run) => `<li>${run}</li>`).join('')}</ol>`],
    [
      'a list in a list',
      (_, [first, ...rest]) =>
        `<ul><li>${first}<ul>${rest.map((run) => `<li>${run}</li>`).join('')}</ul></li></ul>`,
    ],
    [
      'a table',
      ({ paragraph }, runs) =>
        `<table border=1><tbody><tr>${runs.map((run) => `<td style="width:100pt">${paragraph(run)}</td>`).join('')}</tr></tbody></table>`,
    ],
    [
      'a heading and a quote',
      ({ paragraph }, [first, ...rest]) =>
        `<h2 style="font-weight:400">${first}</h2><blockquote>${rest.map(paragraph).join('')}</blockquote>`,
    ],
    [
      'boxes in boxes',
      ({ paragraph }, runs) =>
        runs.reduce(
          (inner, run) => `<section><article>${paragraph(run)}${inner}</article></section>`,
          '',
        ),
    ],
  ]

export interface GeneratedPiece {
  from: string
  html: string
  /** Each word that has to be there once, with the marks that it has to have. */
  words: Map<string, string>
}

/** Each layout of each program with each look, beside plain words: no style, no script, no lost word. */
export function generatedPieces(): GeneratedPiece[] {
  return shapes.flatMap((shape) =>
    layouts.flatMap(([layout, build]) =>
      looksOfWords.map(([marks, style, [open, close] = ['', '']], n) => {
        const id = `${shapes.indexOf(shape)}${layouts.findIndex(([name]) => name === layout)}${n}`
        const names = ['plain', 'marked', 'last'].map((name) => `${name}${id}`)
        const [plain = '', marked = '', last = ''] = names
        const runs = [
          shape.run(plain, ''),
          `${open}${shape.run(marked, style)}${close}`,
          shape.run(last, ''),
        ]
        return {
          from: `${shape.from}: ${layout}, ${marks || 'plain'} (${n})`,
          html: shape.page(build(shape, runs)),
          words: new Map([
            [plain, ''],
            [marked, marks],
            [last, ''],
          ]),
        }
      }),
    ),
  )
}
