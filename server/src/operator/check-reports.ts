/** Checks whether bounces and complaints of each relay can come back, and whether any ever did. */
import { type Finding, ok, warn } from '../checks/finding.ts'
import { isReceived } from '../config/providers.ts'
import { profileOf, recognisedProfile } from '../config/relay-profiles.ts'
import { relaysIn } from '../config/relays.ts'
import type { Config } from '../config.ts'
import type { Db } from '../lib/db/types.ts'
import { parseSmtpUrl } from '../lib/email/smtp/url.ts'
import { systemClock } from '../lib/time/clock.ts'
import { createHeard } from '../messages/relays/feedback.ts'

/** A finding for each relay whose profile is named, or is recognised by its host. */
export function reportFindings(config: Config): Finding[] {
  return relaysIn(config).flatMap(({ name, url, profile }) => {
    const check = name === undefined ? 'reports' : `reports of ${name}`
    if (profile !== undefined) return [namedFinding(config, check, profileOf(profile))]
    const recognised = recognisedProfile(url)
    if (recognised === undefined) return []
    const { title } = profileOf(recognised)
    const how =
      name === undefined
        ? `Set RELAY_PROFILE=${recognised}.`
        : `Give it "profile": "${recognised}" in the file RELAYS.`
    return [warn(check, `the relay belongs to ${title}, but no profile is set`, how)]
  })
}

function namedFinding(
  config: Config,
  check: string,
  { title, reports }: ReturnType<typeof profileOf>,
): Finding {
  if (!reports) {
    if (config.receivesBounces) return ok(check, `come back by mail to ${config.bounceDomain}`)
    const text = 'no bounces are received: mail to addresses that do not exist counts as sent'
    return warn(check, text, 'Set BOUNCE_PORT and BOUNCE_DOMAIN (docs/operate/mail.md).')
  }
  const address = `${config.baseUrl}/hooks/email/${reports.provider}`
  if (isReceived(config, reports.provider)) return ok(check, `${title} notifies ${address}`)
  return warn(
    check,
    `notifications of ${title} are not received: bounces, complaints and unsubscriptions stay unknown`,
    `Set ${reports.setting}, and have ${title} notify ${address} (docs/operate/relays.md).`,
  )
}

/** The name under which what is known of a relay is stored. */
export function routeOf({ name, url }: { name: string | undefined; url: string }): string {
  const { host, port } = parseSmtpUrl(url)
  return name ?? `${host}:${port}`
}

/** Whether marketing may begin over each relay. */
export async function* marketingFindings(db: Db, config: Config): AsyncGenerator<Finding> {
  const isHeard = createHeard({ db, clock: systemClock })
  for (const relay of relaysIn(config)) {
    const route = routeOf(relay)
    const check = relay.name === undefined ? 'marketing' : `marketing over ${relay.name}`
    if (await isHeard(route)) yield ok(check, 'delivery reports have arrived')
    else if (config.feedbackGate === 'off') yield ok(check, 'open without a report: FEEDBACK_GATE')
    else {
      const text = 'on hold: no delivery report has arrived yet'
      yield warn(check, text, 'Run crier doctor --mail, which sends to an address that bounces.')
    }
  }
}
