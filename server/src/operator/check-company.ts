/** Whether the identity provider of the settings can be asked, and is ownName as it names itself. */
import { type Finding, ok, warn } from '../checks/finding.ts'
import { type Config, isLoopbackUrl } from '../config.ts'
import { createOutbound } from '../lib/http-client/outbound-fetch.ts'
import { createGuard } from '../lib/http-client/outbound-guard.ts'

type CompanyConfig = Pick<Config, 'companySignIn' | 'outboundAllow' | 'baseUrl'>

const check = 'company sign-in'
const mostBytes = 256 * 1024

/** Undefined where no provider is set. */
export async function companyFinding({
  companySignIn,
  outboundAllow,
  baseUrl,
}: CompanyConfig): Promise<Finding | undefined> {
  if (!companySignIn) return undefined
  const { issuer, clientSecret } = companySignIn
  const base = issuer.endsWith('/') ? issuer : `${issuer}/`
  const url = `${base}.well-known/openid-configuration`
  const guard = createGuard({ rules: outboundAllow, allowHttp: isLoopbackUrl(baseUrl) })
  const outbound = createOutbound({ guard })
  const answer = await outbound.fetch({ url, maxBytes: mostBytes })
  await outbound.close()
  if (answer.outcome === 'failed') {
    const isForbidden = answer.reason === 'forbidden'
    return warn(
      check,
      `${url} does not answer (${answer.reason})`,
      isForbidden
        ? 'It is in a network of your own: name its address in OUTBOUND_ALLOW.'
        : 'Check OIDC_ISSUER, and that this machine reaches it.',
    )
  }
  const ownName = issuerIn(answer.status === 200 ? answer.body.toString() : '')
  if (ownName === undefined) {
    const text = `${url} is no description of a provider (status ${answer.status})`
    return warn(check, text, 'Set OIDC_ISSUER to the issuer that your provider shows.')
  }
  if (ownName !== issuer) {
    return warn(check, `${issuer} names itself ${ownName}`, `Set OIDC_ISSUER=${ownName}.`)
  }
  if (clientSecret === undefined) {
    const mend = 'Set OIDC_CLIENT_SECRET, unless the client is public there.'
    return warn(check, `${issuer} answers, without a client secret`, mend)
  }
  return ok(check, `${issuer} answers`)
}

function issuerIn(text: string): string | undefined {
  try {
    const { issuer } = JSON.parse(text) as { issuer?: unknown }
    return typeof issuer === 'string' ? issuer : undefined
  } catch {
    return undefined
  }
}
