/**
 * The data of previews. A contact's own fields and the variables of a call are invented; the business
 * is real. The thread of checks uses it, too, so it can be copied there.
 */
import type { SenderProfile } from '../accounts/businesses/business.ts'
import { everyKeyShown, neededVariables, type Recipient, templateVariables } from './variables.ts'

type Variables = Readonly<Record<string, unknown>>

export const previewData = ['sample', 'longest', 'empty'] as const
export type PreviewData = (typeof previewData)[number]

/** Which previews of a template are wanted, in one language. */
export interface PreviewSettings {
  data: readonly PreviewData[]
  business: Pick<SenderProfile, 'name' | 'postalAddress' | 'timeZone'>
  /** In place of the links of a recipient. */
  testUrl: string
  language?: string | undefined
  /** Variables of a call, in place of invented ones. */
  given: Variables
  /** In place of an invented one. */
  contact?: Recipient | undefined
  /** The keys of the filters of blocks that this contact fits. An invented one sees all blocks. */
  shownKeys?: readonly string[] | undefined
}

// Text that breaks layouts and encodings: markup, quotes, a word without a break, letters of three
// bytes, right-to-left text, a face made of several characters.
const long =
  '<b>"Maximiliana" & \'Größenwahn\'</b> Donaudampfschifffahrtsgesellschaftskapitänswitwenrente 漢字かな交じり文 مرحبا بالعالم 👩‍👩‍👧‍👦'

/** The variables of a preview of a template that has these names. */
export function previewVariables(
  data: PreviewData,
  names: readonly string[],
  { business, testUrl, language, given: variables, contact, shownKeys }: PreviewSettings,
): Variables {
  const around = {
    contact: contact ?? recipientOf(data, names, language),
    business,
    unsubscribeUrl: testUrl,
    preferencesUrl: testUrl,
    viewUrl: new URL('/v/test', testUrl).href,
    shownKeys: shownKeys ?? everyKeyShown(names),
  }
  const filled = data === 'empty' ? {} : filledIn(names, data === 'longest' ? long : undefined)
  return templateVariables(around, { ...filled, ...variables })
}

function recipientOf(data: PreviewData, variables: readonly string[], language = 'en'): Recipient {
  const keys = variables.flatMap((name) => /^contact\.attributes\.([^.]+)$/.exec(name)?.[1] ?? [])
  if (data === 'empty') {
    const names = { name: null, first_name: null, last_name: null }
    return { email: null, phone: null, ...names, language: null, attributes: {}, tags: [] }
  }
  const value = (key: string) => (data === 'longest' ? long : key)
  return {
    email: data === 'longest' ? `${'x'.repeat(64)}@${'y'.repeat(60)}.example` : 'ana@example.com',
    phone: '+34600000000',
    name: data === 'longest' ? long : 'Ana',
    first_name: data === 'longest' ? long : 'Ana',
    last_name: data === 'longest' ? long : 'Ruiz',
    language,
    attributes: Object.fromEntries(keys.map((key) => [key, value(key)])),
    tags: data === 'longest' ? Array.from({ length: 50 }, () => long.slice(0, 64)) : ['customer'],
  }
}

/** What a shop reports of a cart or an order, under the names that the guide gives. */
const someItems = (value: string | undefined) =>
  ['1', '2', '3'].map((quantity) => ({
    name: value ?? `Product ${quantity}`,
    quantity,
    price: `${Number(quantity) * 12}.00`,
    url: 'https://example.com/',
    image: 'https://example.com/picture.png',
  }))

/** `order.total` becomes `{ order: { total: 'total' } }`: the name serves as the value. */
function filledIn(variables: readonly string[], value: string | undefined): Variables {
  const filled: Record<string, unknown> = {}
  for (const name of neededVariables(variables)) {
    const keys = name.split('.')
    const last = keys.pop() ?? ''
    let within = filled
    for (const key of keys) {
      const next = Object.hasOwn(within, key) ? within[key] : undefined
      const inner = typeof next === 'object' && next !== null ? next : {}
      if (key !== '__proto__') within[key] = inner
      within = inner as Record<string, unknown>
    }
    if (last !== '__proto__' && !Object.hasOwn(within, last)) {
      within[last] = last === 'items' ? someItems(value) : (value ?? last)
    }
  }
  return filled
}
