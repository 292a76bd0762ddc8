import type { senderRequirements as english } from '../en/sender-requirements.ts'

export const senderRequirements: typeof english = {
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
