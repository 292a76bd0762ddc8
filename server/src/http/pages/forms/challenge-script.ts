/**
 * The script of a guarded form. While the visitor types, it finds a number whose hash with the
 * page's token begins with zero bits (`forms/hosted/challenge.ts`). Without scripts or WebCrypto in
 * the browser the form is sent without it and its mail is held.
 */
import type { FastifyInstance } from 'fastify'

export const challengePath = '/f/challenge.js'

const script = `{
  const form = document.querySelector('form[data-bits]')
  const { _page: page, _proof: proof } = form.elements
  const text = new TextEncoder()
  const find = async () => {
    for (let n = 0; !proof.value; n++) {
      const bytes = text.encode(page.value + ' ' + n)
      const hash = new DataView(await crypto.subtle.digest('SHA-256', bytes))
      if (Math.clz32(hash.getUint32(0)) >= form.dataset.bits) proof.value = n
    }
  }
  if (globalThis.crypto?.subtle) {
    const found = find()
    form.addEventListener('submit', async (event) => {
      if (proof.value) return
      event.preventDefault()
      form.querySelector('[role=status]').hidden = false
      await found
      form.submit()
    })
  }
}
`

export function registerChallengeScript(scope: FastifyInstance): void {
  scope.get(challengePath, (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=3600',
        'x-content-type-options': 'nosniff',
      })
      .send(script),
  )
}
