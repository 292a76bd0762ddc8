import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { embedOf, sendEmbedScript } from './embed-script.ts'

const form = {
  id: 'frm_1',
  frameUrl: 'https://t.shop.example/f/frm_1/embed',
  title: 'Join our list',
  label: 'Sign up',
  close: 'Close',
  direction: 'ltr',
  colour: '#0d5c2f',
  textColour: '#ffffff',
  height: 400,
  goesTo: undefined,
  ...embedOf(),
} as const

/** The script that a browser gets. */
function scriptOf(more: Partial<Parameters<typeof sendEmbedScript>[1]> = {}): string {
  let text = ''
  const reply = {
    headers: () => reply,
    header: () => reply,
    send: (source: string) => {
      text = source
      return reply
    },
  }
  sendEmbedScript(reply as unknown as FastifyReply, { ...form, ...more })
  return text
}

test('settings that are left out have defaults', () => {
  assert.deepEqual(embedOf({ show: 'popup', after_seconds: 60 }), {
    show: 'popup',
    on: 'time',
    afterSeconds: 60,
    scrollPercent: 50,
    quietDays: 30,
  })
  assert.equal(embedOf().show, 'inline')
})

test('the script takes less than eight kilobytes', () => {
  assert.ok(gzipSync(scriptOf()).byteLength < 8 * 1024)
})

test('texts of a business are data within the script, whatever they hold', () => {
  const title = `"); alert(1); ("</script>\u2028\\'`
  const seen: string[] = []
  const element = {
    style: { setProperty() {} },
    attachShadow: () => ({ append() {} }),
    dataset: {},
  }
  const frame = {
    ...element,
    set title(text: string) {
      seen.push(text)
    },
  }
  runInNewContext(scriptOf({ title }), {
    document: {
      body: { insertBefore() {} },
      documentElement: {},
      querySelector: () => null,
      createElement: (name: string) => (name === 'iframe' ? frame : element),
    },
    window: {
      location: { origin: '', pathname: '', search: '', protocol: 'about:' },
      addEventListener() {},
    },
    getComputedStyle: () => ({ colorScheme: 'normal' }),
    CSSStyleSheet: class {
      replaceSync() {}
    },
    URL,
    URLSearchParams,
    Set,
    alert: () => assert.fail('it ran'),
  })
  assert.deepEqual(seen, [title])
})
