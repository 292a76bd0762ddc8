/** A browser without script, over `app.inject`: one host, cookies, forms. */
import type { FastifyInstance } from 'fastify'
import { type Form, formsOf } from './tiny-browser.ts'

export interface Visited {
  status: number
  headers: Record<string, unknown>
  body: string
  /** The target of its redirect, or of its automatic refresh. */
  to: string | undefined
  forms: Form[]
}

export interface Sent {
  method: 'GET' | 'HEAD' | 'POST'
  url: string
  headers?: Record<string, string>
  payload?: string
}

export class PageVisitor {
  readonly cookies = new Map<string, string>()
  readonly #app: FastifyInstance
  readonly #host: string

  constructor(app: FastifyInstance, host: string) {
    this.#app = app
    this.#host = host
  }

  get(url: string, headers: Record<string, string> = {}): Promise<Visited> {
    return this.send({ method: 'GET', url, headers })
  }

  head(url: string): Promise<Visited> {
    return this.send({ method: 'HEAD', url })
  }

  /**
   * Sends the first form of a page unchanged, except that `values` are typed into it (an array
   * ticks those boxes, null leaves the field out). Pages send no referrer, so browsers send
   * `Origin: null`.
   */
  submit(
    page: Visited,
    values: Record<string, string | string[] | null> = {},
    headers: Record<string, string> = {},
    form: Form | undefined = page.forms[0],
  ): Promise<Visited> {
    if (!form) throw new Error(`no form on the page: ${page.status} ${page.body}`)
    const body = new URLSearchParams()
    for (const { name, type, value, checked } of form.fields) {
      const isBox = type === 'checkbox'
      if (name in values || type === 'submit' || (isBox && !checked)) continue
      body.append(name, value)
    }
    for (const [name, value] of Object.entries(values)) {
      for (const one of value === null ? [] : [value].flat()) body.append(name, one)
    }
    return this.send({
      method: 'POST',
      url: new URL(form.action).pathname + new URL(form.action).search,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'null',
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      payload: body.toString(),
    })
  }

  async send(request: Sent): Promise<Visited> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#app.inject({
      ...request,
      headers: {
        accept: 'text/html',
        ...request.headers,
        host: request.headers?.['host'] ?? this.#host,
        ...(cookie && { cookie }),
      },
    })
    for (const { name, value, maxAge } of answer.cookies) {
      if (maxAge === 0 || value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const url = `http://${this.#host}${request.url}`
    const page = { url, status: answer.statusCode, headers: new Headers(), body: answer.body }
    const location = answer.headers['location']
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: answer.body,
      to: location === undefined ? refreshIn(answer.body) : String(location),
      forms: formsOf(page),
    }
  }
}

function refreshIn(body: string): string | undefined {
  const found = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(body)
  return found?.[1]?.replaceAll('&amp;', '&').replaceAll('&#39;', "'")
}
