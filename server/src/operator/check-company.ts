/** Whether the identity providers, of the settings and of businesses, can be asked and are named rightly. */
import { type Finding, ok, warn } from '../checks/finding.ts'
import { type Config, isLoopbackUrl } from '../config.ts'
import { formatId, type Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { createOutbound } from '../lib/http-client/outbound-fetch.ts'
import { createGuard } from '../lib/http-client/outbound-guard.ts'
import { seconds } from '../lib/time/clock.ts'

type CompanyConfig = Pick<Config, 'companySignIn' | 'outboundAllow' | 'baseUrl'>

const check = 'company sign-in'
const mostBytes = 256 * 1024
const deadlineMs = seconds(5)

/** The provider of the settings; undefined where none is set. */
export async function companyFinding(config: CompanyConfig): Promise<Finding | undefined> {
  if (!config.companySignIn) return undefined
  const { issuer, clientSecret } = config.companySignIn
  const fault = await faultOf(issuer, config)
  if (fault?.isForbidden) {
    return warn(
      check,
      fault.text,
      'It is in a network of your own: name its address in OUTBOUND_ALLOW.',
    )
  }
  if (fault?.ownName !== undefined)
    return warn(check, fault.text, `Set OIDC_ISSUER=${fault.ownName}.`)
  if (fault) {
    const mend = fault.isDeaf
      ? 'Check OIDC_ISSUER, and that this machine reaches it.'
      : 'Set OIDC_ISSUER to the issuer that your provider shows.'
    return warn(check, fault.text, mend)
  }
  if (clientSecret === undefined) {
    const mend = 'Set OIDC_CLIENT_SECRET, unless the client is public there.'
    return warn(check, `${issuer} answers, without a client secret`, mend)
  }
  return ok(check, `${issuer} answers`)
}

/** Providers of businesses that are asked in one run, so that it ends: within a quarter of a minute, if all are silent. */
const mostAsked = 100
const atOnce = 20
const shortMs = seconds(3)
const mostNamed = 3

/** The providers that owners of businesses set, which only they can mend; undefined where there are none. */
export async function companiesFinding(
  db: Db,
  config: Omit<CompanyConfig, 'companySignIn'>,
): Promise<Finding | undefined> {
  const rows = await db.all<{ issuer: string; id: Id<'business'> }>(sql`
    select p.issuer, (array_agg(p.business_id order by p.business_id))[1] as id
    from identity_providers p join businesses b on b.id = p.business_id
    where b.closed_at is null
    group by p.issuer order by p.issuer limit ${mostAsked}
  `)
  if (rows.length === 0) return undefined
  const faults: string[] = []
  const queue = [...rows]
  const ask = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      const fault = await faultOf(row.issuer, config, shortMs)
      if (fault) faults.push(`${fault.text} (${formatId('business', row.id)})`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, ask))
  const name = 'company sign-ins of businesses'
  const count = `${rows.length - faults.length} of ${rows.length} providers answer`
  if (faults.length === 0) return ok(name, count)
  const examples = faults.toSorted().slice(0, mostNamed).join(', ')
  return warn(
    name,
    `${count}: ${examples}`,
    'Tell the owners of these businesses. If a provider is in a network of your own, name its address in OUTBOUND_ALLOW.',
  )
}

interface Fault {
  text: string
  isDeaf: boolean
  isForbidden: boolean
  /** Another name that the provider has for itself. */
  ownName: string | undefined
}

/** What is wrong with the description that a provider gives of itself; undefined for nothing. */
async function faultOf(
  issuer: string,
  { outboundAllow, baseUrl }: Omit<CompanyConfig, 'companySignIn'>,
  timeoutMs = deadlineMs,
): Promise<Fault | undefined> {
  const base = issuer.endsWith('/') ? issuer : `${issuer}/`
  const url = `${base}.well-known/openid-configuration`
  const guard = createGuard({ rules: outboundAllow, allowHttp: isLoopbackUrl(baseUrl) })
  const outbound = createOutbound({ guard })
  const answer = await outbound.fetch({
    url,
    maxBytes: mostBytes,
    deadlineMs: timeoutMs,
    bodyMs: timeoutMs,
  })
  await outbound.close()
  const fault = { isDeaf: false, isForbidden: false, ownName: undefined }
  if (answer.outcome === 'failed') {
    const text = `${url} does not answer (${answer.reason})`
    return { ...fault, text, isDeaf: true, isForbidden: answer.reason === 'forbidden' }
  }
  const ownName = issuerIn(answer.status === 200 ? answer.body.toString() : '')
  if (ownName === undefined) {
    return { ...fault, text: `${url} is no description of a provider (status ${answer.status})` }
  }
  return ownName === issuer
    ? undefined
    : { ...fault, text: `${issuer} names itself ${ownName}`, ownName }
}

function issuerIn(text: string): string | undefined {
  try {
    const { issuer } = JSON.parse(text) as { issuer?: unknown }
    return typeof issuer === 'string' ? issuer : undefined
  } catch {
    return undefined
  }
}
