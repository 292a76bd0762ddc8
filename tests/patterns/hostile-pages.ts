/** HTML and MJML that are hard to read, as large as a part of a template may be. */
import { templateLimits } from 'crier-server/templates/source.ts'

function filled(before: string, unit: string, end = ''): string {
  const room = templateLimits.bodyLength - before.length - end.length
  return before + unit.repeat(Math.floor(room / unit.length)) + end
}

const column = '<mj-section><mj-column>'

export const hostileHtml: [what: string, html: string][] = [
  ['elements within elements', filled('', '<div>')],
  ['tables within tables', filled('', '<table><tr><td>')],
  ['lists within lists', filled('', '<ul><li>')],
  ['quotations within quotations', filled('', '<blockquote>')],
  ['quotes that are not closed', filled('<a href="', '<a href="')],
  ['an attribute of 256 kB', filled('<p title="', 'x', '">')],
  ['thousands of attributes', filled('<p ', 'a=b ', '>x')],
  ['thousands of rules', filled('<style>', '.a .b{color:red}', '</style><p class="a">x')],
  ['thousands of selectors', filled('<style>', 'a,', 'b{color:red}</style><p>x')],
  ['selectors within selectors', filled('<style>a', ':not(a)', '{color:red}</style><a>x')],
  ['one selector of thousands of steps', filled('<style>', ' *', '{color:red}</style><a>x')],
  ['rules for thousands of elements', filled('<style>p{color:red}</style>', '<p>')],
  ['a style sheet of quotes', filled('<style>', '"', '</style>')],
  ['a style sheet of comments', filled('<style>', '/*', '</style>')],
  ['style sheets that are not closed', filled('', '<style>')],
  ['bodies that are not closed', filled('', '<body "')],
  ['comments that are not closed', filled('', '<!--')],
  ['nothing but brackets', filled('', '<')],
  ['spaces', filled('', ' ', 'x')],
  ['references without an end', filled('', '&amp')],
  ['values in one attribute', filled('<a href="', '{{a}}', '">x</a>')],
]

export const hostileMjml: [what: string, mjml: string][] = [
  [
    'sections',
    filled('<mjml><mj-body>', `${column}</mj-column></mj-section>`, '</mj-body></mjml>'),
  ],
  ['wrappers within wrappers', filled('<mjml><mj-body>', '<mj-wrapper>')],
  ['elements that are not closed', filled('<mjml><mj-body>', column)],
  [
    'text within text',
    filled(`<mjml><mj-body>${column}<mj-text>`, '<b>', '</mj-text></mj-column></mj-section>'),
  ],
  ['attributes', filled('<mjml><mj-body ', 'a="b" ', '></mj-body></mjml>')],
  ['quotes that are not closed', filled('<mjml><mj-body a="', '<mj-text a="')],
  [
    'classes',
    filled('<mjml><mj-head><mj-attributes>', '<mj-class name="a" />', '</mj-attributes>'),
  ],
  ['brackets', filled('<mjml>', '<')],
]
