/** What a provider misses at the sender, with what to do, on the pages of domains and results. */
import { language } from './words.ts'

type Requirement = 'spf' | 'dkim' | 'dmarc' | 'alignment' | 'ptr' | 'mx' | 'tls' | 'unsubscribe'

const english: Record<Requirement, string> = {
  spf: 'SPF did not pass. Publish the SPF record of your domain, with the server that sends.',
  dkim: 'DKIM did not pass. Publish the DKIM record of your domain.',
  dmarc: 'DMARC did not pass, or there is no DMARC record. Publish one at _dmarc of your domain.',
  alignment:
    'The From address does not match the domain that SPF or DKIM authenticates. Send from the domain whose records you published.',
  ptr: 'The address of the mail server has no reverse DNS (PTR) record. Whoever runs the server sets it.',
  mx: 'The domain of the sender has no MX or A record.',
  tls: 'The connection was not encrypted (TLS). Whoever runs the mail server switches it on.',
  unsubscribe: 'The List-Unsubscribe header for one-click unsubscribing is missing.',
}

const german: Record<Requirement, string> = {
  spf: 'SPF ist fehlgeschlagen. Veröffentlichen Sie den SPF-Eintrag Ihrer Domain mit dem Server, der sendet.',
  dkim: 'DKIM ist fehlgeschlagen. Veröffentlichen Sie den DKIM-Eintrag Ihrer Domain.',
  dmarc:
    'DMARC ist fehlgeschlagen, oder es gibt keinen DMARC-Eintrag. Veröffentlichen Sie einen unter _dmarc Ihrer Domain.',
  alignment:
    'Die Absenderadresse passt nicht zu der Domain, die SPF oder DKIM bestätigt. Senden Sie von der Domain, deren Einträge Sie veröffentlicht haben.',
  ptr: 'Die Adresse des Mailservers hat keinen Reverse-DNS-Eintrag (PTR). Ihn setzt, wer den Server betreibt.',
  mx: 'Die Domain des Absenders hat keinen MX- oder A-Eintrag.',
  tls: 'Die Verbindung war nicht verschlüsselt (TLS). Das schaltet ein, wer den Mailserver betreibt.',
  unsubscribe: 'Der Header List-Unsubscribe zum Abmelden mit einem Klick fehlt.',
}

export const requirementWords = (requirement: Requirement): string =>
  (language === 'de' ? german : english)[requirement]
