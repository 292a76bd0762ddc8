import type { RecipientWords } from './words.ts'

export const german: RecipientWords = {
  form: {
    submit: 'Absenden',
    required: 'erforderlich',
    choose: 'Bitte wählen',
    yes: 'Ja',
    no: 'Nein',
    problems: 'Bitte prüfen Sie Ihre Angaben',
    missing: 'Bitte füllen Sie dieses Feld aus.',
    email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ana@example.com.',
    phone: 'Geben Sie eine Telefonnummer mit Landesvorwahl ein, zum Beispiel +49 30 901820.',
    number: 'Geben Sie eine Zahl ein, zum Beispiel 12 oder 3.5.',
    date: 'Geben Sie ein gültiges Datum ein.',
    url: 'Geben Sie eine Adresse ein, die mit https:// beginnt.',
    choice: 'Wählen Sie aus der Liste.',
    tooLong: 'Der Text ist zu lang.',
    consentNeeded: 'Setzen Sie hier ein Häkchen, um fortzufahren.',
    thanksTitle: 'Vielen Dank',
    thanksText: 'Ihre Angaben sind angekommen. Sie können diese Seite schließen.',
    confirmTitle: 'Noch ein Schritt: Bitte sehen Sie in Ihr Postfach',
    confirmText: 'Öffnen Sie die E-Mail von uns und bestätigen Sie mit der Schaltfläche darin.',
    closedTitle: 'Dieses Formular ist geschlossen',
    closedText: 'Zurzeit werden keine Antworten angenommen.',
    expired:
      'Diese Seite war zu lange geöffnet. Ihre Angaben sind noch da: Bitte senden Sie sie noch einmal ab.',
    tooMany:
      'Aus Ihrem Netz kamen zu viele Antworten. Bitte warten Sie eine Minute und senden Sie noch einmal ab.',
    tryAgain:
      'Ihre Angaben konnten nicht gespeichert werden. Sie sind noch da: Bitte senden Sie sie noch einmal ab.',
    wait: 'Einen Moment bitte …',
    sendHere:
      'Bitte füllen Sie das Formular hier aus: Programme haben es missbraucht, deshalb nehmen wir Antworten nur von dieser Seite an.',
    leaveEmpty: 'Lassen Sie dieses Feld leer',
    close: 'Schließen',
    responsible: 'Verantwortlich für Ihre Daten',
    privacy: 'Datenschutzerklärung',
  },
  preferences: {
    title: (business) => `Nachrichten von ${business}`,
    unsubscribed:
      'Erledigt: Sie erhalten keine E-Mail-Rundschreiben mehr. Auch die, die gerade verschickt werden sollten, sind gestoppt.',
    leftTopic: (topic) =>
      `Erledigt: Sie erhalten keine Rundschreiben zu ${topic} mehr. Die anderen, die Sie gewählt haben, kommen weiterhin.`,
    saved: 'Ihre Auswahl ist gespeichert.',
    askUnsubscribe:
      'Mit dieser Schaltfläche melden Sie sich von allen Rundschreiben per E-Mail ab.',
    unsubscribe: 'Abmelden',
    leaveTopic: (topic) => `Von ${topic} abmelden`,
    leaveAll: 'Von allem abmelden',
    legend: 'Was Sie erhalten',
    save: 'Auswahl speichern',
    stillSent: 'Nachrichten zu Ihren Bestellungen und Anfragen erhalten Sie weiterhin.',
    emailChoice: (business) =>
      `Ich möchte Neuigkeiten und Angebote von ${business} per E-Mail erhalten.`,
    smsChoice: (business) =>
      `Ich möchte Neuigkeiten und Angebote von ${business} per SMS erhalten.`,
    trackingLegend: 'Was festgehalten wird',
    trackingChoice: (business) =>
      `${business} darf festhalten, ob ich E-Mails öffne und welchen Links ich folge.`,
    topics: 'Themen',
    often: 'Wie oft?',
    oftens: {
      all: 'Immer, wenn es etwas gibt',
      weekly: 'Höchstens eine Nachricht pro Woche',
      digest: 'Nur die regelmäßige Zusammenfassung',
      pause: '30 Tage lang keine',
    },
    topicChoice: (topic, business) => `Ich möchte ${topic} von ${business} erhalten.`,
    emailTo: (hint) => `E-Mail an ${hint}`,
    smsTo: (hint) => `SMS an ${hint}`,
    goneTitle: 'Sie erhalten nichts mehr',
    goneText: (business) =>
      `${business ?? 'Der Absender'} hat Ihre Adresse nicht mehr, es gibt also nichts mehr abzumelden. Sie können diese Seite schließen.`,
    returnText:
      'Wenn Sie weiterhin Nachrichten erhalten, nutzen Sie den Link in der neuesten. Möchten Sie wieder welche erhalten? Geben Sie Ihre E-Mail-Adresse ein: Wir senden Ihnen eine E-Mail mit einer Schaltfläche zum Bestätigen.',
    returnLabel: 'E-Mail-Adresse',
    returnButton: 'E-Mail anfordern',
    returnAsked:
      'Wenn an diese Adresse hier nichts mehr gesendet wird, ist eine E-Mail unterwegs. Bestätigen Sie mit der Schaltfläche darin, dass Sie wieder Nachrichten möchten; bis dahin ändert sich nichts.',
    tooManyTitle: 'Zu viele Änderungen',
    tooManyText:
      'Sie haben Ihre Auswahl sehr oft geändert. Bitte warten Sie eine Stunde, bevor Sie weitere Nachrichten bestellen. Abmelden können Sie sich jederzeit.',
  },
  confirmation: {
    subject: (business) => `Bitte bestätigen: Nachrichten von ${business}`,
    text: (business) =>
      `Jemand, vermutlich Sie, hat ${business} gebeten, an diese Adresse zu schreiben. Bitte bestätigen Sie das mit der Schaltfläche.`,
    button: 'Bestätigen',
    ignore:
      'Wenn Sie es nicht waren, tun Sie einfach nichts: Ohne Ihre Bestätigung erhalten Sie keine Rundschreiben.',
    pageText: (business) =>
      `Mit dieser Schaltfläche bestätigen Sie, dass Sie Nachrichten von ${business} erhalten möchten.`,
    doneTitle: 'Bestätigt',
    doneText: (business) =>
      `Sie erhalten ab jetzt Nachrichten von ${business}. Sie können diese Seite schließen.`,
    expiredTitle: 'Dieser Link ist abgelaufen',
    expiredText: 'Füllen Sie das Formular noch einmal aus, um einen neuen zu erhalten.',
  },
  mail: { preferences: 'Abmelden oder auswählen, was Sie erhalten' },
  view: {
    link: 'Im Browser ansehen',
    goneTitle: 'Diese E-Mail kann nicht mehr angezeigt werden',
    goneText:
      'Ihr Inhalt ist nicht mehr gespeichert. In Ihrem Postfach können Sie sie weiterhin lesen.',
  },
  sms: {
    stopped: (business) =>
      `${business}: Sie erhalten keine SMS mehr von dieser Nummer. Mit START bestellen Sie sie wieder.`,
    started: (business) =>
      `${business}: Sie erhalten wieder SMS von uns. HELP für Hilfe, STOP zum Abbestellen.`,
    help: (business, contact) =>
      `${business}: ${contact}Mit STOP bestellen Sie SMS von dieser Nummer ab.`,
    writeTo: (address) => `Schreiben Sie an ${address}`,
  },
  archive: {
    title: (business) => `E-Mails von ${business}`,
    empty: 'Hier ist noch keine E-Mail.',
    older: 'Ältere E-Mails',
    newest: 'Neueste E-Mails',
    feed: 'RSS-Feed',
    all: (business) => `Alle E-Mails von ${business}`,
    subscribe: 'Abonnieren',
    personalTitle: 'Dieser Link ist persönlich',
    personalText:
      'Er funktioniert nur in der E-Mail, die der Empfänger bekommen hat. Öffnen Sie diese E-Mail, um sich abzumelden oder auszuwählen, was Sie erhalten.',
  },
  errors: {
    linkTitle: 'Dieser Link funktioniert nicht',
    linkText:
      'Vielleicht wurde er beim Kopieren abgeschnitten. Öffnen Sie die Nachricht noch einmal und folgen Sie dem Link darin. Führt auch der hierher, so antworten Sie auf die Nachricht und sagen Sie es dem Absender. Geändert wurde nichts.',
    pageTitle: 'Seite nicht gefunden',
    pageText: 'Unter dieser Adresse gibt es keine Seite.',
    busyTitle: 'Zu viele Anfragen',
    busyText:
      'Aus Ihrem Netz wurden zu viele Seiten geöffnet. Bitte warten Sie eine Minute und versuchen Sie es noch einmal.',
    failedTitle: 'Bei uns ist etwas schiefgegangen',
    failedText: 'Bitte versuchen Sie es gleich noch einmal.',
  },
  sentWith: 'Versandt mit Crier',
  skipToPage: 'Zum Inhalt springen',
}
