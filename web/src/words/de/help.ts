import type { help as english } from '../en/help.ts'

export const help: typeof english = {
  title: 'Hilfe zu dieser Seite',
  guide: 'Anleitung lesen (auf Englisch)',
  ownPage: 'Als eigene Seite öffnen',
  /** Subjects that are no page of the menu. */
  subjects: { import: 'Kontakte importieren' },
  pages: {
    home: 'Was auf Sie wartet, was gerade gesendet wird und was als Nächstes kommt. Ein neues Unternehmen beginnt mit der Einrichtung: Name und Postanschrift, eine Absenderdomain, die ersten Kontakte.',
    contacts:
      'Alle Ihre Kontakte mit ihrer Einwilligung. Werbung erhält nur, wer zugestimmt hat: Die Einwilligung belegt, wann und wie. Wer sich abmeldet, nicht erreichbar ist oder sich beschwert, erhält nichts mehr, und die Liste zeigt das.',
    import:
      'Laden Sie eine CSV-Datei aus einer Tabelle oder einem anderen Dienst hoch. Vorher sehen Sie, was aus jeder Spalte wird, und danach können Sie den Import rückgängig machen.',
    segments:
      'Ein Segment ist eine Gruppe nach Bedingungen, zum Beispiel Kunden in Lyon, die seit 60 Tagen nichts geöffnet haben. Es ist keine feste Liste: Wer die Bedingungen erfüllt, gehört dazu.',
    topics:
      'Themen kann man einzeln abonnieren, zum Beispiel Neuigkeiten und Angebote. Wer ein Thema abbestellt, erhält die anderen weiterhin.',
    suppressions:
      'Adressen, an die nichts gesendet wird, jede mit dem Grund. Sie können eine Sperre aufheben, außer wenn die Person selbst sie wollte.',
    forms:
      'Ein Formular sammelt Kontakte auf Ihrer Website, per Link oder QR-Code. Enthält es ein Feld für die Einwilligung, bestätigen die Personen per E-Mail, bevor sie Werbung erhalten. Ohne dieses Feld meldet das Formular niemanden an.',
    campaigns:
      'Eine Kampagne ist eine Nachricht an viele: Wählen Sie die Empfänger, schreiben und prüfen Sie sie, und legen Sie fest, wann sie gesendet wird. Sie können sie während des Versands pausieren. Niemand erhält sie doppelt.',
    automations:
      'Eine Automation schreibt jeder Person im richtigen Moment, zum Beispiel ein Willkommen nach der Anmeldung. Beginnen Sie mit einer fertigen Automation, füllen Sie ihre E-Mails aus, sehen Sie sich die Vorschau an, und starten Sie sie.',
    messages:
      'Jede einzelne E-Mail und SMS mit ihrem Verlauf: angenommen, zugestellt, geöffnet oder abgelehnt, und warum.',
    replies: 'Was Personen per SMS antworten. STOP und ähnliche Wörter melden sie sofort ab.',
    templates:
      'Eine Vorlage ist eine E-Mail, die Sie oder Ihre Programme wiederverwenden. Jede Änderung ergibt eine neue Version; bereits Gesendetes bleibt unverändert.',
    reports:
      'Wie Ihre Liste wächst und wie Kampagnen liefen. Öffnungen durch Bots werden getrennt gezählt, und was sich nicht messen lässt, ist so gekennzeichnet.',
    settings:
      'Name, Absender und Postanschrift Ihres Unternehmens. In Werbe-E-Mails ist die Postanschrift Pflicht, deshalb steht sie unter jeder.',
    brand:
      'Logo, Farben und Schrift für E-Mails, Formulare und Seiten. Änderungen wirken sofort in Entwürfen; was schon im Versand ist, bleibt unverändert.',
    domains:
      'Um von Ihrer eigenen Domain zu senden, tragen Sie bei deren Anbieter DNS-Einträge ein. DKIM signiert Ihre E-Mails, damit Postfachanbieter wissen, dass sie von Ihnen stammen. Ohne DKIM landet vieles im Spam.',
    members:
      'Kolleginnen und Kollegen und was sie dürfen: Leser sehen, Redakteure schreiben, Freigeber geben frei, Administratoren verwalten, Inhaber dürfen alles.',
    connections:
      'Apps und Assistenten, die hier für Sie arbeiten. Sie bestimmen, was sie sehen und dürfen, und können jede Verbindung jederzeit beenden.',
    keys: 'Mit einem API-Schlüssel senden Ihre Programme E-Mails und lesen Daten. Er wird nur einmal angezeigt: Halten Sie ihn geheim, und widerrufen Sie ihn, wenn andere ihn gesehen haben.',
    webhooks:
      'Ein Webhook meldet Ihren anderen Systemen, was hier geschieht, zum Beispiel einen neuen Kontakt. Fehlgeschlagene Zustellungen werden wiederholt.',
    usage: 'Wie viel von Ihrem Tarif in diesem Monat verbraucht ist.',
    audit: 'Wer wann was geändert hat: Personen, Programme und Assistenten.',
    sessions: 'Wo Sie angemeldet sind. Beenden Sie eine Sitzung, die Sie nicht kennen.',
    status: 'Ob der Dienst so arbeitet, wie er soll.',
    operator:
      'Für den Betrieb dieses Dienstes: Unternehmen, Tarife, fehlgeschlagene Jobs und die Warteschlange der E-Mails.',
  },
}
