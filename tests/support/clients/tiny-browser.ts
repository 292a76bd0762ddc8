/**
 * The parts of a browser that a sign-in needs: cookies and forms, no
 * script. It reads the actual page, so that a test fails if the page would not work for a
 * person, and still passes if only its wording changes.
 */

export interface Field {
  name: string
  type: string
  value: string
  checked: boolean
}

export interface Form {
  /** An absolute URL; the page's own address if the form names none. */
  action: string
  method: 'GET' | 'POST'
  /** The Origin a browser sends with it: `null` from a page that sends no referrer. */
  origin: string
  fields: Field[]
}

export interface Page {
  url: string
  status: number
  headers: Headers
  body: string
}

const redirects = new Set([301, 302, 303, 307, 308])

export class TinyBrowser {
  /** One jar for each origin, which is stricter than a real browser. */
  readonly #jars = new Map<string, Map<string, string>>()

  /** Makes one request with the cookies of its origin, without following redirects. */
  async visit(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url)
    const headers = new Headers(init.headers)
    const jar = this.#jars.get(origin) ?? new Map<string, string>()
    if (jar.size > 0) headers.set('cookie', [...jar].map(([k, v]) => `${k}=${v}`).join('; '))
    if (!headers.has('accept')) headers.set('accept', 'text/html,*/*;q=0.8')
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) keep(jar, cookie)
    this.#jars.set(origin, jar)
    return response
  }

  /** Follows redirects within the origin until there is a page. */
  async open(url: string, init: RequestInit = {}): Promise<Page> {
    let here = url
    let response = await this.visit(here, init)
    for (let hops = 0; redirects.has(response.status) && hops < 5; hops++) {
      const next = new URL(response.headers.get('location') ?? '', here)
      if (next.origin !== new URL(here).origin) break
      here = next.href
      response = await this.visit(here)
    }
    const { status, headers } = response
    return { url: here, status, headers, body: await response.text() }
  }

  /** Submits `values` to the form's action. */
  submit(form: Form, values: URLSearchParams): Promise<Page> {
    if (form.method === 'GET') {
      const target = new URL(form.action)
      target.search = values.toString()
      return this.open(target.href)
    }
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: form.origin,
    }
    return this.open(form.action, { method: 'POST', headers, body: values.toString() })
  }
}

function keep(jar: Map<string, string>, setCookie: string): void {
  const [pair = '', ...attributes] = setCookie.split(';')
  const at = pair.indexOf('=')
  const name = pair.slice(0, at).trim()
  const gone = attributes.some((text) => /^\s*max-age=(0|-\d+)\s*$/i.test(text))
  if (gone) jar.delete(name)
  else jar.set(name, pair.slice(at + 1).trim())
}

/** All forms of a page in order, with the controls that a browser would submit. */
export function formsOf(page: Page): Form[] {
  const silent = page.headers.get('referrer-policy') === 'no-referrer'
  const origin = silent ? 'null' : new URL(page.url).origin
  return [...page.body.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/gi)].map((match) => {
    const form = attributes(match[1] ?? '')
    return {
      action: new URL(form.get('action') || page.url, page.url).href,
      method: form.get('method')?.toUpperCase() === 'POST' ? 'POST' : 'GET',
      origin,
      fields: fieldsOf(match[2] ?? ''),
    }
  })
}

function fieldsOf(html: string): Field[] {
  const fields: Field[] = []
  for (const [, tag = '', text = ''] of html.matchAll(/<(input|button)\b([^>]*)>/gi)) {
    const found = attributes(text)
    const name = found.get('name')
    if (!name || found.has('disabled')) continue
    const isButton = tag.toLowerCase() === 'button'
    const type = found.get('type')?.toLowerCase() ?? (isButton ? 'submit' : 'text')
    const value = found.get('value') ?? (type === 'checkbox' ? 'on' : '')
    fields.push({ name, type, value, checked: found.has('checked') })
  }
  return fields
}

function attributes(text: string): Map<string, string> {
  const found = new Map<string, string>()
  const pattern = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g
  for (const [, name = '', double, single, bare] of text.matchAll(pattern)) {
    found.set(name.toLowerCase(), decode(double ?? single ?? bare ?? ''))
  }
  return found
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (decimal) return String.fromCodePoint(Number(decimal))
    return entities[name] ?? whole
  })
}
