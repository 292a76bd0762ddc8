/**
 * Mails the operator when the database has not worked for a minute. No job can be queued then, so
 * the process sends the mail itself, once a day for each kind of outage.
 */
import { limits } from '../config.ts'
import { type Outage, outageWords } from '../lib/db/outage.ts'
import type { CurrentOutage } from '../lib/db/outage-watch.ts'
import type { Mailer } from '../lib/email/mailer.ts'
import { hours, minutes } from '../lib/time/clock.ts'
import type { AppParts } from './app-parts.ts'
import { alertMail } from './operator-alerts.ts'

/** Does nothing if no operator's address is set, or in a process that sends no mail. */
export function outageAlert(
  { config, clock, log }: Pick<AppParts, 'config' | 'clock' | 'log'>,
  mailer: Mailer,
): (current: CurrentOutage) => void {
  const { operatorEmail: to, role } = config
  if (to === undefined || role === 'api') return () => {}
  const nextAt = new Map<Outage, number>()
  return ({ outage, ms }) => {
    const now = clock.now().getTime()
    if (ms < limits.alertOutageMs || now < (nextAt.get(outage) ?? 0)) return
    nextAt.set(outage, now + hours(24))
    const { is, mend } = outageWords[outage]
    const what = `The database ${is}. Calls are refused and jobs wait; both go on by themselves when it works again.`
    const mail = alertMail(config, { what, mend })
    mailer
      .send({ name: `outage-${outage}-${now}`, from: config.mailFrom, to, ...mail })
      .catch((err) => {
        nextAt.set(outage, now + minutes(5))
        log.warn({ err }, 'operator.alert_failed')
      })
  }
}
