/**
 * How the search of the documentation ranks. It runs unchanged in the service and in the browser, which
 * load the same file.
 */

/** Words that say nothing about what is looked for. */
const emptyWords = new Set(
  'a about all am an and any are as at be but by can could do does for from had has have how i if in into is it its me my no not of on one only or our out over shall should so some than that the their them then there they this to up use was we what when where which who why will with would you your'.split(
    ' ',
  ),
)

/** Words of other products and of the law, and the word of these pages. */
const synonyms = {
  env: 'setting',
  environment: 'setting',
  variables: 'variable',
  gateway: 'provider',
  gateways: 'provider',
  sandbox: 'test',
  gdpr: 'erase',
  captcha: 'spam',
  honeypot: 'spam',
  handlebars: 'liquid',
  mustache: 'liquid',
  optin: 'confirm',
  endpoint: 'route',
  pagination: 'cursor',
  workflow: 'automation',
}

/** The form in which a word is looked for: in lower case, without the ending of plurals. */
function termOf(word) {
  const lower = word.toLowerCase()
  if (emptyWords.has(lower)) return null
  // An object has names of its own, such as constructor.
  if (Object.hasOwn(synonyms, lower)) return synonyms[lower]
  if (lower.length > 4 && lower.endsWith('ies')) return `${lower.slice(0, -3)}y`
  return lower.length > 3 && lower.endsWith('s') && !lower.endsWith('ss')
    ? lower.slice(0, -1)
    : lower
}

export const indexOptions = {
  fields: ['title', 'heading', 'keywords', 'about', 'body'],
  storeFields: ['page', 'title', 'heading', 'about', 'shelf', 'weight'],
  processTerm: termOf,
}

const searchOptions = {
  boost: { title: 6, keywords: 6, heading: 3, about: 2 },
  boostDocument: (_id, _term, stored) => stored.weight,
  // The beginning of a short word fits too many.
  prefix: (term) => term.length > 3,
  fuzzy: (term) => (term.length > 4 ? 0.15 : false),
  weights: { prefix: 0.3, fuzzy: 0.15 },
}

/** The sections that have words of the query, best first, several of one page too. */
export function sectionsFor(index, query, limit) {
  return index
    .search(query, searchOptions)
    .slice(0, limit)
    .map(({ id, title, heading, about }) => ({ url: id, title, heading, about }))
}

/**
 * The best section of each page that has words of the query, best page first. A page whose other
 * sections fit as well comes before one with a single section that does.
 */
export function hitsOf(index, query, limit) {
  const pages = new Map()
  for (const hit of index.search(query, searchOptions)) {
    const page = pages.get(hit.page)
    if (!page) pages.set(hit.page, { hit, score: hit.score, counted: 1 })
    else if (page.counted < 3) {
      page.score += hit.score / 4
      page.counted += 1
    }
  }
  return [...pages.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ hit: { id, title, heading, about, shelf } }) => ({
      url: id,
      title,
      heading,
      about,
      shelf,
    }))
}
