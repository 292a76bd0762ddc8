/**
 * Runs the shell blocks of the generated guides, step by step. The reader's actions between two
 * blocks (copying an id, following a link) are done here, and nothing else.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { signWebhook } from '@crier-mail/sdk/node'
import { sql } from 'crier-server/lib/db/db.ts'
import { allSamples } from 'crier-server/reference/samples/all.ts'
import type { Locator } from 'playwright-core'
import { launch, person } from '../e2e/browser.ts'
import { catalog } from '../operations/support/testbed.ts'
import { approve, newPerson } from '../support/clients/sign-in.ts'
import { webhookReceiver } from '../support/network/webhook-receiver.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { eventually } from '../support/time/eventually.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

let workshop: Workshop
const shell = new Map<string, string[]>()
/** Its calls follow each other, in any language. */
const sendPage = 'guides/send-from-your-code'
const firstPage = 'guides/first-mail'

before(async () => {
  workshop = await openWorkshop()
  for (const { page, language, code } of allSamples(catalog, workshop.service.config)) {
    const isStep = language === 'sh' || (language === 'curl' && page === sendPage)
    if (isStep) shell.set(page, [...(shell.get(page) ?? []), code])
  }
})
after(() => workshop.close())

/** The blocks of a page; fails unless there is one for each step of the test. */
function blocks<T extends string[]>(page: string, count: T['length']): T {
  const all = shell.get(page) ?? []
  assert.equal(all.length, count, `${page} has other blocks than this test knows`)
  return all as T
}

const quiet = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }\n'

test('every guide with shell blocks is tested here', () => {
  assert.deepEqual([...shell.keys()].sort(), [
    'guides/authentication',
    firstPage,
    'guides/quick-start',
    sendPage,
    'guides/webhooks',
  ])
})

test('the authentication guide leads to a refreshed token with curl alone', async () => {
  const [discovery, register, begin, exchange, refresh] = blocks<
    [string, string, string, string, string]
  >('guides/authentication', 5)
  const bash = (script: string) => workshop.bash(quiet + script)
  const { token_endpoint } = JSON.parse(await bash(discovery))
  assert.ok(exchange.includes(token_endpoint))
  const { client_id } = JSON.parse(await bash(register))
  const started = await bash(
    `CLIENT_ID=${client_id}\n${begin}\necho "$CODE_VERIFIER"\necho "$STATE"`,
  )
  const [address = '', verifier, state] = started.trim().split('\n')
  const callback = await approve(address, { email: newPerson() })
  assert.equal(callback.searchParams.get('state'), state)
  const known = `CLIENT_ID=${client_id} CODE_VERIFIER=${verifier}\n`
  const code = `CODE=${callback.searchParams.get('code')}\n`
  const { refresh_token } = JSON.parse(await bash(known + code + exchange))
  const renewed = JSON.parse(await bash(`${known}REFRESH_TOKEN=${refresh_token}\n${refresh}`))
  assert.equal(renewed.expires_in, 3600)
})

test('the quick-start guide’s packages install, and its command line signs in', async () => {
  const [installCli, login, installSdk] = blocks<[string, string, string]>('guides/quick-start', 3)
  const npm = await emptyFolder()
  await workshop.bash(`${npm}${installCli}\n"$HOME/global/bin/crier" --help`)
  await workshop.bash(`${npm}${installSdk}\nls node_modules/@crier-mail/sdk/dist/index.js`)
  assert.match(await workshop.bash(login), /"state":"signed_in"/)
})

/** Leads a script to an empty folder, and global packages to one beside it. */
async function emptyFolder(): Promise<string> {
  const { stdout: cache } = await promisify(execFile)('npm', ['config', 'get', 'cache'])
  return [
    `export npm_config_cache=${cache.trim()} npm_config_prefix="$HOME/global"`,
    'export npm_config_offline=false npm_config_prefer_offline=true',
    'mkdir -p "$HOME/program" && cd "$HOME/program" && echo "{}" > package.json\n',
  ].join('\n')
}

/** How a reader runs a block of the first page. */
const runs: Record<string, (code: string) => string> = {
  curl: (code) => code,
  cli: (code) => `PATH="$HOME/global/bin:$PATH"\n${code}`,
  typescript: (code) => `cat >mail.mjs <<'END'\n${code}\nEND\nnode mail.mjs`,
  python: (code) => `python3 - <<'END'\n${code}\nEND`,
  php: (code) => `php <<'END'\n${code}\nEND`,
}

test('the first page leads a new user to a mail that was read, in each language and in two minutes', {
  skip: withoutBrowser || missingPrograms('/usr/bin/python3', '/usr/bin/php'),
}, async (t) => {
  const [keep, installSdk, installCli] = blocks<[string, string, string]>(firstPage, 3)
  const started = performance.now()
  const key = await makeKeyInApp(async (dialog) => {
    await dialog.getByLabel('Test key').check()
    await dialog.getByLabel('Task').selectOption('Send receipts and notifications')
  })
  const shell = `${quiet}${await emptyFolder()}\n${keep.replace('crk_…', key)}`
  const samples = [...allSamples(catalog, workshop.service.config)].filter(
    ({ page }) => page === firstPage,
  )
  const callsIn = (name: string) =>
    samples.filter(({ language }) => language === name).map(({ code }) => code)
  await workshop.bash([shell, ...callsIn('curl')].join('\n'))
  const seconds = (performance.now() - started) / 1000
  t.diagnostic(`${seconds.toFixed(1)} s from the sign-in to the mail`)
  assert.ok(seconds < 120, 'under two minutes')

  await workshop.bash(`${shell}\n${installSdk}`)
  const [install = '', address = ''] = installCli.split('\n')
  await workshop.bash(`${shell}\n${install}`)
  for (const [language, run] of Object.entries(runs)) {
    const calls = callsIn(language)
    assert.equal(calls.length, 2, language)
    const said = await workshop.bash([shell, address, ...calls.map(run)].join('\n'))
    assert.match(said, /msg_[0-9a-z]{26}[\s\S]*It is on its way\./, language)
  }
})

test('the guide to sending from code works: a new user makes a key, sends with curl and sees the result', {
  skip: withoutBrowser,
}, async (t) => {
  const [keep, subscribe, send, look] = blocks<[string, string, string, string]>(sendPage, 4)
  const started = performance.now()
  const key = await makeKeyInApp(async (dialog) => {
    for (const scope of ['Send email and text messages', 'Set up domains and webhooks']) {
      await dialog.getByLabel(scope).check()
    }
  })
  const shell = quiet + keep.replace('crk_…', key)
  let secret = ''
  const receiver = await webhookReceiver(() => secret)
  try {
    const own = subscribe.replace('https://example.com/hooks', receiver.url)
    secret = JSON.parse(await workshop.bash(`${shell}\n${own}`)).signing_secret
    const { message_id } = JSON.parse(await workshop.bash(`${shell}\n${send}`))
    const heard = await eventually(
      () => receiver.received.find(({ event }) => event.type === 'message.sent'),
      (found) => found !== undefined,
    )
    const data = heard?.event.data as Record<string, unknown>
    assert.equal(data['message_id'], message_id)
    assert.deepEqual(data['tags'], ['receipt'])
    assert.deepEqual(data['metadata'], { order_id: '1017' })
    const { messages } = JSON.parse(await workshop.bash(`${shell}\n${look}`))
    assert.deepEqual(
      messages.map((message: { message_id: string }) => message.message_id),
      [message_id],
    )
    assert.equal(messages[0].subject, 'Your order 1017')
  } finally {
    receiver.close()
  }
  const seconds = (performance.now() - started) / 1000
  t.diagnostic(`${seconds.toFixed(1)} s from the sign-in to the event`)
  assert.ok(seconds < 120, 'under two minutes')
})

/** Does what the guide says, in a real browser: signs in, follows its words, and copies the key. */
async function makeKeyInApp(choose: (dialog: Locator) => Promise<void>): Promise<string> {
  const { config, db } = workshop.service
  const browser = await launch()
  try {
    const { page } = await person(browser, { script: true, width: 1280 })
    const email = newPerson()
    await page.goto(`${config.appUrl}/b`)
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    const mail = await eventually(
      () =>
        db.maybe<{ text: string }>(sql`
          select body_text as text from inbox_messages where recipient = ${email}
        `),
      (found) => found !== undefined,
    )
    await page.goto(/https?:\/\/\S+\/sign-in\/\S+/.exec(mail?.text ?? '')?.[0] ?? '')
    await page.goto(`${config.appUrl}/b`)
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'New key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Shop')
    await choose(dialog)
    await dialog.getByRole('button', { name: 'New key' }).click()
    const key = (await page.getByText(/^crk_/).textContent()) ?? ''
    assert.match(key, /^crk_[\w-]{43}$/)
    return key
  } finally {
    await browser.close()
  }
}

test('the webhooks guide’s manual signature matches, and its listener receives a sample event', async () => {
  const [byHand, listen, trigger] = blocks<[string, string, string]>('guides/webhooks', 3)
  const body = '{"type":"contact.created"}'
  const secret = 'whsec_by-hand'
  const now = new Date('2026-11-20T12:00:00Z')
  const headers = signWebhook({ body, secret, deliveryId: 'dlv_1', now })
  const made = await workshop.bash(
    `TIMESTAMP=${now.getTime() / 1000} WEBHOOK_SECRET=${secret}\nprintf %s '${body}' > body.json\n${byHand}`,
  )
  assert.ok(made.includes(headers['x-svc-signature']?.split('v1=')[1] ?? 'none'), made)

  const local = await workshop.bash('npx crier webhooks listen --print-secret')
  const receiver = await webhookReceiver(() => local.trim(), workshop.port)
  try {
    await workshop.background(listen)
    await workshop.bash(trigger)
  } finally {
    receiver.close()
  }
  assert.equal(receiver.received[0]?.event.type, 'form.submitted')
})

test('the webhooks guide’s checks in Python and PHP take a delivery, and refuse a changed one', {
  skip: missingPrograms('/usr/bin/python3', '/usr/bin/php') ?? false,
}, async () => {
  const body = '{"type":"contact.created"}'
  const secret = 'whsec_by-program'
  const headers = signWebhook({ body, secret, deliveryId: 'dlv_1' })
  const signature = headers['x-svc-signature'] ?? ''
  const stale = signWebhook({ body, secret, deliveryId: 'dlv_1', now: new Date(0) })
  const cases = [
    [body, signature, secret],
    [`${body} `, signature, secret],
    [body, signature, 'whsec_other'],
    [body, stale['x-svc-signature'] ?? '', secret],
    [body, 't=²,v1=é', secret],
    [body, '', secret],
  ]
  const samples = [...allSamples(catalog, workshop.service.config)].filter(
    ({ page, code }) => page === 'guides/webhooks' && code.includes('hmac'),
  )
  const codeOf = (name: string) => samples.find(({ language }) => language === name)?.code ?? ''
  const cased = JSON.stringify(JSON.stringify(cases))
  const python = await workshop.python(
    `${codeOf('python')}\nimport json\nprint([is_genuine(b.encode(), s, k) for b, s, k in json.loads(${cased})])`,
  )
  assert.equal(python.trim(), '[True, False, False, False, False, False]')
  const php = await workshop.php(
    `${codeOf('php')}\nforeach (json_decode('${JSON.stringify(cases).replaceAll("'", "\\'")}') as $case) echo (int) $isGenuine(...$case);`,
  )
  assert.equal(php.trim(), '100000')
})
