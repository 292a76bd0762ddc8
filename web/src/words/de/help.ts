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
      'Alle, die Sie kennen, mit ihrer Einwilligung. Marketing geht nur an Personen, die zugestimmt haben: Die Einwilligung ist der Nachweis, wann und wie. Wer sich abmeldet, nicht erreichbar ist oder sich beschwert, bekommt nichts mehr, und die Liste zeigt das.',
    import:
      'Laden Sie eine CSV-Datei aus einer Tabelle oder einem anderen Dienst hoch. Sie sehen vorher, was aus jeder Spalte wird, und können einen Import rückgängig machen.',
    segments:
      'Ein Segment ist eine Gruppe nach Bedingungen, zum Beispiel Kunden in Lyon, die seit 60 Tagen nichts geöffnet haben. Es ist keine feste Liste: Wer passt, gehört von da an dazu.',
    topics:
      'Themen sind, was man einzeln abonnieren kann, zum Beispiel Neuigkeiten und Angebote. Wer ein Thema abbestellt, bekommt die anderen weiter.',
    suppressions:
      'Adressen, an die nichts gesendet wird, jede mit dem Grund. Sie können eine Sperre aufheben, außer wenn die Person selbst sie wollte.',
    forms:
      'Ein Formular sammelt Kontakte auf Ihrer Website, per Link oder QR-Code. Mit einem Feld für die Einwilligung bestätigen die Personen per E-Mail, bevor sie Marketing bekommen. Ohne dieses Feld meldet das Formular niemanden an.',
    campaigns:
      'Eine Kampagne ist eine Nachricht an viele: Wählen Sie, wer sie bekommt, schreiben und prüfen Sie sie, und sagen Sie, wann. Sie können sie während des Versands anhalten. Niemand bekommt sie zweimal.',
    automations:
      'Eine Automation schreibt jeder Person zu ihrer Zeit, zum Beispiel zur Begrüßung nach der Anmeldung. Beginnen Sie mit einer fertigen, füllen Sie ihre Mails aus, sehen Sie sich die Vorschau an, und starten Sie sie.',
    messages:
      'Jede einzelne E-Mail und SMS mit dem, was aus ihr wurde: angenommen, zugestellt, geöffnet oder abgelehnt und warum.',
    replies: 'Was Personen per SMS antworten. STOP und ähnliche Wörter melden sie sofort ab.',
    templates:
      'Eine Vorlage ist eine Mail, die Sie oder Ihre Programme wieder verwenden. Änderungen ergeben eine neue Version; was gesendet wurde, bleibt, wie es war.',
    reports:
      'Wie Ihre Liste wächst und wie Kampagnen liefen. Öffnungen durch Maschinen werden von denen durch Personen getrennt, und was niemand wissen kann, steht dabei.',
    settings:
      'Name, Absender und Postanschrift Ihres Unternehmens. In Marketing-Mails ist die Postanschrift Pflicht, darum steht sie unter jeder Mail.',
    brand:
      'Logo, Farben und Schrift für Mails, Formulare und Seiten. Änderungen sehen Sie in Entwürfen sofort; was unterwegs ist, bleibt, wie es ist.',
    domains:
      'Um von Ihrer eigenen Domain zu senden, tragen Sie bei deren Anbieter DNS-Einträge ein. DKIM unterschreibt Ihre Mails, damit Postfächer wissen, dass sie von Ihnen kommen. Ohne DKIM landet vieles im Spam.',
    members:
      'Kolleginnen und Kollegen und was sie dürfen: Leser sehen, Bearbeiter schreiben, Freigeber geben frei, Administratoren verwalten, Inhaber entscheiden alles.',
    connections:
      'Apps und Assistenten, die hier für Sie arbeiten. Sie bestimmen, was sie sehen und dürfen, und können jede Verbindung jederzeit beenden.',
    keys: 'Mit einem API-Schlüssel sendet ein Programm von Ihnen Mails und liest Daten. Er wird einmal gezeigt: Halten Sie ihn geheim, und widerrufen Sie ihn, wenn andere ihn gesehen haben.',
    webhooks:
      'Ein Webhook meldet Ihren anderen Systemen, was hier geschieht, zum Beispiel einen neuen Kontakt. Fehlgeschlagene Zustellungen werden wiederholt.',
    usage: 'Wie viel von Ihrem Tarif in diesem Monat verbraucht ist.',
    audit: 'Wer wann was geändert hat: Personen, Programme und Assistenten.',
    sessions: 'Wo Sie angemeldet sind. Beenden Sie eine Sitzung, die Sie nicht kennen.',
    status: 'Ob der Dienst so arbeitet, wie er soll.',
    operator:
      'Für den Betrieb dieses Dienstes: Unternehmen, Tarife, Fehlgeschlagenes und wartende Mail.',
  },
}
