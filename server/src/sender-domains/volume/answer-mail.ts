/** Notifies the owners by mail of the operator's answer to a statement of past volume. */

import { type MailLanguage, mailLanguageAmong } from '../../accounts/businesses/mail-language.ts'
import { ownersOf } from '../../accounts/businesses/memberships.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Mailer } from '../../lib/email/mailer.ts'
import { serviceMail, withoutLinks } from '../../lib/email/service-mail.ts'
import { enqueue, type Job } from '../../lib/jobs/job.ts'
import type { PastVolume } from './volume.ts'
import type { DomainKey } from './volume-queries.ts'

/** The worker loads this file only for such a job, because operators answer rarely. */
const answerMailJob = 'domain.volume-answer-mail'

interface AnswerPayload {
  business_id: Id<'business'>
  domain_id: Id<'domain'>
  owner_id: Id<'user'>
  begins_at_day: number
  /** Whether it was approved before. */
  withdrawn?: boolean
}

export interface AnswerMailDeps {
  db: Db
  mailer: Mailer
  urls: { appUrl: string }
  mailFrom: string
}

/** Queues a mail for each owner, in the transaction that stores the answer. */
export async function queueAnswerMails(
  tx: Tx,
  { businessId, domainId }: DomainKey,
  { beginsAtDay, withdrawn = false, now }: { beginsAtDay: number; withdrawn?: boolean; now: Date },
): Promise<void> {
  const owners = await ownersOf(tx, businessId)
  const jobs = owners.map((owner_id) => {
    const payload: AnswerPayload = {
      business_id: businessId,
      domain_id: domainId,
      owner_id,
      begins_at_day: beginsAtDay,
      ...(withdrawn && { withdrawn }),
    }
    return { kind: answerMailJob, businessId, payload }
  })
  await enqueue(tx, jobs, now)
}

/** Sends nothing if the owner has stated anew since, or is no longer an owner. */
export async function sendAnswerMail(
  { db, mailer, urls, mailFrom }: AnswerMailDeps,
  { id, payload }: Job,
): Promise<void> {
  const {
    business_id: businessId,
    domain_id: domainId,
    owner_id: ownerId,
    begins_at_day: beginsAtDay,
    withdrawn = false,
  } = payload as AnswerPayload
  const found = await findAnswer(db, { businessId, domainId }, ownerId)
  if (!found) return
  const language = mailLanguageAmong([found.language])
  const answer = found.answer === null ? null : withoutLinks(found.answer)
  const words = answerWords(language, { ...found, answer, beginsAtDay, withdrawn })
  const url = `${urls.appUrl}/b/${formatId('business', businessId)}/domains`
  const name = `${formatId('domain', domainId)}.${id}`
  const mail = serviceMail({ ...words, url, language })
  await mailer.send({ name, from: mailFrom, to: found.to, ...mail })
}

/** The operator's answer with what a mail about it needs. */
interface AnswerForOwner extends Pick<PastVolume, 'emailsPerDay' | 'approved' | 'answer'> {
  /** The owner's address. */
  to: string
  language: string
  domain: string
}

/** Undefined if no answer stands, or if the person is no owner. */
function findAnswer(
  db: Db,
  { businessId, domainId }: DomainKey,
  ownerId: Id<'user'>,
): Promise<AnswerForOwner | undefined> {
  return db.maybe(sql`
    select u.email as to, b.language, d.name as domain, d.volume_stated as "emailsPerDay",
      d.volume_approved as approved, d.volume_answer as answer
    from domains d
    join businesses b on b.id = d.business_id
    join memberships m on m.business_id = d.business_id and m.user_id = ${ownerId}
    join users u on u.id = m.user_id
    where d.business_id = ${businessId} and d.id = ${domainId} and m.role = 'owner'
      and d.volume_decided_at is not null
  `)
}

type Answer = Pick<PastVolume, 'emailsPerDay' | 'approved' | 'answer'> & {
  domain: string
  /** The day of the warm-up. */
  beginsAtDay: number
  /** An approval that the operator took back, which is a refusal. */
  withdrawn: boolean
}

interface AnswerMail {
  subject: string
  message: string
  button: string
  terms: string
  otherwise: string
}

const english = {
  words: (number: (value: number) => string, { domain, ...volume }: Answer): AnswerMail => {
    const { emailsPerDay, approved, answer, beginsAtDay, withdrawn } = volume
    const stated = `You stated that ${domain} previously sent ${number(emailsPerDay)} emails per day.`
    const reply = answer === null ? '' : ` The operator writes: “${answer}”`
    const shared = {
      button: 'View domains',
      otherwise: 'All owners of the business get this email.',
    }
    if (withdrawn) {
      return {
        ...shared,
        subject: `Approval withdrawn: past volume of ${domain}`,
        message: `${stated} The operator of this service has withdrawn the approval of this volume.${reply}`,
        terms:
          'The warm-up continues without the days it skipped. You can submit a new statement under Domains.',
      }
    }
    if (approved === null) {
      return {
        ...shared,
        subject: `Refused: past volume of ${domain}`,
        message: `${stated} The operator of this service refused it.${reply}`,
        terms: 'The warm-up continues as before. You can submit a new statement under Domains.',
      }
    }
    return {
      ...shared,
      subject: `Approved: past volume of ${domain}`,
      message: `${stated} The operator of this service approved ${number(approved)} emails per day.${reply}`,
      terms: `For each mailbox provider, the warm-up now starts at day ${beginsAtDay}, or continues from a later day it has already reached.`,
    }
  },
}

const german: typeof english = {
  words: (number, { domain, emailsPerDay, approved, answer, beginsAtDay, withdrawn }) => {
    const stated = `Sie haben angegeben, dass ${domain} bisher ${number(emailsPerDay)} E-Mails pro Tag gesendet hat.`
    const reply = answer === null ? '' : ` Der Betreiber schreibt: „${answer}“`
    const shared = {
      button: 'Domains ansehen',
      otherwise: 'Alle Inhaber des Unternehmens erhalten diese E-Mail.',
    }
    if (withdrawn) {
      return {
        ...shared,
        subject: `Bestätigung zurückgenommen: früheres Volumen von ${domain}`,
        message: `${stated} Der Betreiber dieses Dienstes hat die Bestätigung dieses Volumens zurückgenommen.${reply}`,
        terms:
          'Die Warm-up-Phase läuft ohne die übersprungenen Tage weiter. Unter „Domains“ können Sie eine neue Angabe machen.',
      }
    }
    if (approved === null) {
      return {
        ...shared,
        subject: `Abgelehnt: früheres Volumen von ${domain}`,
        message: `${stated} Der Betreiber dieses Dienstes hat das abgelehnt.${reply}`,
        terms:
          'Die Warm-up-Phase läuft wie bisher weiter. Unter „Domains“ können Sie eine neue Angabe machen.',
      }
    }
    return {
      ...shared,
      subject: `Bestätigt: früheres Volumen von ${domain}`,
      message: `${stated} Der Betreiber dieses Dienstes hat ${number(approved)} E-Mails pro Tag bestätigt.${reply}`,
      terms: `Bei jedem Postfachanbieter beginnt die Warm-up-Phase jetzt an Tag ${beginsAtDay} oder läuft an einem bereits erreichten späteren Tag weiter.`,
    }
  },
}

const french: typeof english = {
  words: (number, { domain, emailsPerDay, approved, answer, beginsAtDay, withdrawn }) => {
    const stated = `Vous avez indiqué que ${domain} envoyait jusqu’ici ${number(emailsPerDay)} e-mails par jour.`
    const reply = answer === null ? '' : ` L’opérateur écrit : « ${answer} »`
    const shared = {
      button: 'Voir les domaines',
      otherwise: 'Tous les propriétaires de l’entreprise reçoivent cet e-mail.',
    }
    if (withdrawn) {
      return {
        ...shared,
        subject: `Approbation retirée : volume passé de ${domain}`,
        message: `${stated} L’opérateur de ce service a retiré l’approbation de ce volume.${reply}`,
        terms:
          'Le préchauffage continue sans les jours qu’il avait sautés. Vous pouvez faire une nouvelle déclaration dans Domaines.',
      }
    }
    if (approved === null) {
      return {
        ...shared,
        subject: `Refusé : volume passé de ${domain}`,
        message: `${stated} L’opérateur de ce service l’a refusé.${reply}`,
        terms:
          'Le préchauffage continue comme avant. Vous pouvez faire une nouvelle déclaration dans Domaines.',
      }
    }
    return {
      ...shared,
      subject: `Approuvé : volume passé de ${domain}`,
      message: `${stated} L’opérateur de ce service a approuvé ${number(approved)} e-mails par jour.${reply}`,
      terms: `Chez chaque fournisseur de messagerie, le préchauffage commence maintenant au jour ${beginsAtDay}, ou continue à partir d’un jour ultérieur déjà atteint.`,
    }
  },
}

/** The words of the mail about an answered statement of past volume. */
export function answerWords(language: MailLanguage, answer: Answer): AnswerMail {
  const { words } = { en: english, de: german, fr: french }[language]
  const number = new Intl.NumberFormat(language)
  return words((value) => number.format(value), answer)
}
