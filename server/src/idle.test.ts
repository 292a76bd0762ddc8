/** The modules that an idle service loads; bench/memory.ts measures the memory. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Packages loaded only for the first mail, text, number, template, value or outbound request. */
const atFirstUse =
  'ajv @fastify/ajv-compiler fast-json-stringify/index libphonenumber-js typebox nodemailer smtp-server postal-mime tldts undici @simplewebauthn openid-client oauth4webapi liquidjs mjml juice html-to-text cheerio postcss @opentelemetry'

/**
 * Source of all modules; a byte of it costs about ten of an idle service's memory. Listening for
 * other processes, the stream of the app's pages, the sign-in of submitted mail, twelve more types
 * of events and the refusal of saves made from an older version are the latest.
 * The operations of the pages Connections, Sessions and Audit came with them.
 * So did several relays, the types of blocks, and the flaws of a mail for who hears it.
 * Comments count too, though they cost no memory: full sentences made the sources larger.
 * What `meta.capabilities` says of the audience, and who may come back by which consent, came last.
 * What else was said of an address beside a file of suppressions is known since.
 * There is room for what mail providers, backups and the pages of the app need next.
 * Translations of templates, and forms under the host names of businesses, took what was left of it.
 * The profiles of relays, and whether reports come back from them, took a little more.
 * The nodes and findings of the page Status, and the settings of traces, are the latest.
 * Results by provider, holds of a provider and the warm-up are decided while a campaign is sent.
 * The limits and latest calls of connections, and the definitions of the operator's operations, are
 * the newest.
 * The setting of public archives, and their routes, came last: the pages themselves wait for a reader.
 * The words of a mail's view in the browser in ten languages, and its link in each message, are here
 * since. What renders the view waits for a visit.
 * The table of HTML's named references, for the addresses of links, takes 65 kB of the last rise.
 * Keywords of texts in thirteen languages and the judgement of mail servers' replies are since then,
 * and 176 kB of automations.
 * Passkeys, test keys, caps on marketing, notes and the stop of an assistant took 200 kB; the library
 * that verifies passkeys waits for the first one.
 * Second factors, mandates, closing and moving a business, ids of other systems and mail from elsewhere
 * took 190 kB more.
 * The button of a company's sign-in and the addresses of its pages are the latest; the pages, and the
 * library that speaks with identity providers, wait for the first person who presses it.
 * Feeds, and what clients of the tool endpoint are asked and told, took 60 kB more.
 * The reading orders in the headers of nouns' files are comments alone.
 * The business of jobs and lanes and the statements for a distributed database are the latest, 40 kB.
 */
const most = 6_580_000

async function loadedAtStart(): Promise<string[]> {
  const script = `
    import module from 'node:module'
    const loaded = []
    module.registerHooks({
      load(url, context, next) {
        loaded.push(url)
        return next(url, context)
      },
    })
    const { createServer } = await import(${JSON.stringify(new URL('http/server.ts', import.meta.url).href)})
    await import(${JSON.stringify(new URL('main.ts', import.meta.url).href)})
    await createServer({ log: {}, bodyLimit: 1, trustProxy: false, https: false }).ready()
    console.log(JSON.stringify(loaded))
  `
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script])
  return JSON.parse(stdout) as string[]
}

test('an idle service loads only the modules it needs', async () => {
  const loaded = (await loadedAtStart()).filter((url) => url.startsWith('file:'))
  assert.ok(loaded.some((url) => url.endsWith('/templates/compile.ts')))
  for (const name of atFirstUse.split(' ')) {
    const found = loaded.filter((url) => url.includes(`/node_modules/${name}`))
    assert.deepEqual(found, [])
  }
  const bytes = loaded.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0)
  assert.ok(bytes > most / 2, `only ${bytes} bytes were seen`)
  assert.ok(bytes <= most, `${bytes} bytes of source are read before anybody asks anything`)
})
