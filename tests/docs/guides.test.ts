/**
 * The shell of the generated guides, step by step: what a reader does between two blocks
 * (copy an id, follow a link) is done here, and nothing else.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { signWebhook } from '@crier-mail/sdk'
import { allSamples } from 'crier-server/reference/samples/all.ts'
import { catalog } from '../operations/support/testbed.ts'
import { approve, newPerson } from '../support/clients/sign-in.ts'
import { webhookReceiver } from '../support/network/webhook-receiver.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

let workshop: Workshop
const shell = new Map<string, string[]>()

before(async () => {
  workshop = await openWorkshop()
  for (const { page, language, code } of allSamples(catalog, workshop.service.config)) {
    if (language === 'sh') shell.set(page, [...(shell.get(page) ?? []), code])
  }
})
after(() => workshop.close())

/** The blocks of a page: as many as the test has steps for. */
function blocks<T extends string[]>(page: string, count: T['length']): T {
  const all = shell.get(page) ?? []
  assert.equal(all.length, count, `${page} has other blocks than this test knows`)
  return all as T
}

const quiet = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }\n'

test('every guide with shell in it has a test here', () => {
  assert.deepEqual([...shell.keys()].sort(), [
    'guides/authentication',
    'guides/quick-start',
    'guides/webhooks',
  ])
})

test('authentication: from nothing to a refreshed token with curl alone', async () => {
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

test('quick start: the packages install, and the command line signs in', async () => {
  const [installCli, login, installSdk] = blocks<[string, string, string]>('guides/quick-start', 3)
  const { stdout: cache } = await promisify(execFile)('npm', ['config', 'get', 'cache'])
  const npm = [
    `export npm_config_cache=${cache.trim()} npm_config_prefix="$HOME/global"`,
    'export npm_config_offline=false npm_config_prefer_offline=true',
    'mkdir -p "$HOME/program" && cd "$HOME/program" && echo "{}" > package.json\n',
  ].join('\n')
  await workshop.bash(`${npm}${installCli}\n"$HOME/global/bin/crier" --help`)
  await workshop.bash(`${npm}${installSdk}\nls node_modules/@crier-mail/sdk/dist/index.js`)
  assert.match(await workshop.bash(login), /"state":"signed_in"/)
})

test('webhooks: a signature by hand, and a listener that a sample goes through', async () => {
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
