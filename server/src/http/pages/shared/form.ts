/** Submitted forms, and the proof that they came from one of our own pages. */
import type { FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../../../core/errors.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { formOf } from '../../body.ts'
import { createOriginRule } from '../../origins.ts'
import type { Cookies } from './cookies.ts'
import type { PagesDeps } from './deps.ts'

export interface Form {
  /** The field's single value; '' where it is missing or repeated. */
  text(name: string): string
  /** All values of a field, such as ticked boxes. */
  all(name: string): string[]
}

export function readForm(request: FastifyRequest): Form {
  const body = formOf(request.body)
  return {
    text(name) {
      const value = body[name]
      return typeof value === 'string' ? value : ''
    },
    all(name) {
      const value = body[name]
      const values: unknown[] = Array.isArray(value) ? value : [value]
      return values.filter((entry) => typeof entry === 'string')
    },
  }
}

const keyField = 'form_key'

export function keyInput(key: string): Html {
  return html`<input type="hidden" name="${keyField}" value="${key}">`
}

export type FormGuard = (request: FastifyRequest) => Refusal | undefined

/**
 * Refuses a form that another site sent. Pages send no referrer, so browsers send the Origin `null`
 * with our own forms. The proof is the key derived from the cookie. The two headers only detect
 * other sites sooner.
 */
export function createFormGuard(config: PagesDeps['config'], cookies: Cookies): FormGuard {
  const isOwn = createOriginRule([config.baseUrl, config.appUrl, config.gatewayUrl])
  return (request) => {
    const { origin } = request.headers
    const site = request.headers['sec-fetch-site'] ?? 'same-origin'
    const foreign = origin !== undefined && origin !== 'null' && !isOwn(origin)
    if (foreign || (site !== 'same-origin' && site !== 'none')) {
      return refuse(
        'forbidden_origin',
        'This form was submitted from another site, so nothing was changed.',
        { data: { reason: 'foreign_form' } },
      )
    }
    if (!cookies.ownsKey(request, readForm(request).text(keyField))) {
      return refuse(
        'forbidden_origin',
        'This form has expired, or the browser blocks cookies. Open the page again.',
        { data: { reason: 'form_expired' } },
      )
    }
    return undefined
  }
}
