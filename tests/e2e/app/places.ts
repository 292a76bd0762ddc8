/** Every page of the app that has an address, for tests that look at all of them. */
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The objects that pages are about; their ids as addresses contain them. */
export interface Objects {
  contact: string
  segment: string
  form: string
  template: string
  message: string
  import?: string
  draft: string
  sent: string
  automation: string
  feed: string
}

export interface Place {
  name: string
  /** The path below `/b/<business>`. */
  path: string
}

/** The routes of the app's router below a business; that of Home is empty. */
export function routes(): string[] {
  const router = path.join(import.meta.dirname, '../../../web/src/router.tsx')
  const paths = readFileSync(router, 'utf8').split(" path: '").slice(1)
  return paths
    .map((part) => part.split("'", 1)[0] ?? '')
    .filter((text) => text !== '$business')
    .map((text) => (text === '/' ? '' : text))
    .filter((text, index, all) => all.indexOf(text) === index)
}

/**
 * The addresses of a route beside its own: those with an object, a tab or a drawer. A route with a
 * parameter needs its line here.
 */
const within: Record<string, (objects: Objects) => Record<string, string>> = {
  contacts: ({ contact, segment }) => ({
    'contacts-add': '?add=true',
    'contacts-filter': `?edit=true&segment=${segment}`,
    contact: `?open=${contact}`,
  }),
  'contacts/import': (objects) => (objects.import ? { import: `?id=${objects.import}` } : {}),
  segments: ({ segment }) => ({ segment: `?open=${segment}` }),
  'forms/$form': ({ form }) => ({
    'form-build': `/${form}?tab=build`,
    'form-share': `/${form}?tab=share`,
    'form-submissions': `/${form}?tab=submissions`,
    'form-held': `/${form}?tab=held`,
  }),
  'campaigns/$campaign': ({ draft, sent }) => ({
    'campaign-who': `/${draft}?step=who`,
    'campaign-what': `/${draft}?step=what`,
    'campaign-check': `/${draft}?step=check`,
    'campaign-when': `/${draft}?step=when`,
    'campaign-sent': `/${sent}`,
  }),
  campaigns: () => ({
    'campaigns-add': '?add=true',
    'campaigns-none': '?status=cancelled',
    'campaigns-calendar': '?view=calendar',
  }),
  automations: () => ({ 'automations-add': '?add=true' }),
  'automations/$automation': ({ automation, contact }) => ({
    automation: `/${automation}`,
    'automation-edit': `/${automation}?tab=edit`,
    'automation-start': `/${automation}?tab=start`,
    'automation-find': `/${automation}?tab=person`,
    'automation-person': `/${automation}?tab=person&contact=${contact}`,
    'automation-new': '/new',
  }),
  'feeds/$feed': ({ feed }) => ({
    feed: `/${feed}?tab=issues`,
    'feed-edit': `/${feed}?tab=edit`,
    'feed-new': '/new',
  }),
  messages: ({ message }) => ({ message: `?open=${message}` }),
  replies: () => ({ 'replies-all': '?open=true' }),
  'templates/$template': ({ template }) => ({ template: `/${template}` }),
}

/** All of them, each with a name for its picture. */
export function everyPlace(objects: Objects): Place[] {
  return routes().flatMap((route) => {
    const [page = ''] = route.split('/$')
    const own = { name: route.replaceAll('/', '-') || 'home', path: route && `/${route}` }
    const more = Object.entries(within[route]?.(objects) ?? {}).map(([name, rest]) => ({
      name,
      path: `/${page}${rest}`,
    }))
    if (route.includes('$')) {
      if (more.length === 0) throw new Error(`${route} needs its line in tests/e2e/app/places.ts`)
      return more
    }
    return [own, ...more]
  })
}
