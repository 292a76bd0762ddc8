import type { imports as english, exports as englishExports } from '../en/imports.ts'

export const exports: typeof englishExports = {
  button: 'CSV exportieren',
  begun: (file) => `${file} wird heruntergeladen`,
  failed: 'Der Export wurde nicht erstellt',
}

export const imports: typeof english = {
  title: 'Kontakte importieren',
  action: 'Importieren',
  onlyAdmins:
    'Dateien importieren Admins und Inhaber. Fragen Sie jemanden von ihnen, oder fügen Sie Kontakte einzeln hinzu.',
  steps: { label: 'Schritte', file: 'Datei wählen', review: 'Prüfen', result: 'Importieren' },
  who: {
    title: 'Wer steht in der Datei?',
    kinds: { contacts: 'Kontakte', suppressions: 'Menschen, denen nicht geschrieben werden darf' },
    about: {
      contacts: 'Menschen, die Sie hinzufügen oder aktualisieren.',
      suppressions:
        'Anderswo abgemeldet, unzustellbar oder beschwert: Adressen, Telefonnummern oder deren Prüfsummen (SHA-256).',
    },
    export: 'Jetzige Liste exportieren',
  },
  drop: 'CSV-Datei hier ablegen',
  dropAbout:
    'Aus jedem Programm, bis zu 1 GB. Sie wird zuerst geprüft; gespeichert wird erst, wenn Sie es sagen.',
  choose: 'Datei wählen',
  tooLarge:
    'Diese Datei ist größer als 1 GB. Teilen Sie sie und importieren Sie die Teile nacheinander.',
  uploading: (file) => `${file} wird hochgeladen`,
  awaiting:
    'Dieser Import wartet auf seine Datei, die ein Programm oder ein Assistent senden soll.',
  recent: 'Bisherige Importe',
  another: 'Weitere Datei importieren',
  show: 'Kontakte ansehen',
  cancel: 'Import abbrechen',
  pause: 'Anhalten',
  goOn: 'Fortsetzen',
  checkAgain: 'Erneut prüfen',
  start: 'Import beginnen',
  startMany: (rows) => `Import beginnen (${rows})`,
  mayLeave:
    'Sie können diese Seite verlassen: Der Import läuft weiter, und Sie erhalten eine Mail, wenn er fertig ist.',
  doing: {
    checking: 'Die Datei wird geprüft',
    running: 'Der Import läuft',
    paused: 'Angehalten',
    undoing: 'Der Import wird zurückgenommen',
  },
  rowsSoFar: (rows) => `bisher ${rows} Zeilen`,
  rate: (rows) => `${rows} je Sekunde`,
  left: (seconds) => `noch etwa ${seconds} s`,
  states: {
    awaiting_file: 'Wartet auf die Datei',
    checking: 'Wird geprüft',
    ready: 'Anzusehen',
    running: 'Läuft',
    paused: 'Angehalten',
    done: 'Fertig',
    failed: 'Gescheitert',
    cancelled: 'Abgebrochen',
    undoing: 'Wird zurückgenommen',
    undone: 'Zurückgenommen',
  },
  found: {
    title: (file) => `Was in ${file} steht`,
    rows: 'Zeilen',
    valid: 'Importierbar',
    known: 'Schon bekannt',
    refused: 'Abgelehnt',
    doubled: (rows, atLeast) =>
      `Zeilen, die die Adresse einer früheren Zeile wiederholen: ${rows}${atLeast ? ' oder mehr' : ''}.`,
    unsubscribed: (rows) =>
      `Zeilen von Personen, die sich abgemeldet haben: ${rows}. Das bleibt so.`,
    suppressed: (rows) => `Zeilen mit gesperrten Adressen: ${rows}. Das bleibt so.`,
    listed: (rows) => `Zeilen von Adressen, die schon auf der Liste stehen: ${rows}.`,
    withoutMail: (rows) => `Zeilen mit Domains, die keine E-Mail annehmen: ${rows}.`,
    typos: (rows, domains) => `Zeilen mit wohl falsch geschriebenen Domains: ${rows} (${domains}).`,
    roles: (rows) => `Zeilen mit Adressen wie info@: ${rows}.`,
    throwAway: (rows) => `Zeilen mit Wegwerfadressen: ${rows}.`,
    erased: (rows) => `Zeilen von gelöschten Personen: ${rows}. Sie werden abgelehnt.`,
    leftOut: (cells) =>
      `Nicht lesbare Zellen: ${cells}. Sie werden weggelassen; ihre Zeilen werden ohne sie importiert.`,
    inRows: (count, rows) => `${count}-mal, etwa in Zeile ${rows}.`,
    same: (when) => `Genau diese Datei wurde am ${when} importiert.`,
  },
  letters: {
    title: 'Sehen diese Buchstaben richtig aus?',
    about:
      'Die Datei ist nicht in UTF-8 und wurde als Windows-1252 gelesen. Sind Buchstaben falsch, speichern Sie sie als UTF-8 und beginnen Sie neu.',
    right: 'Die Buchstaben stimmen',
    first: 'Sehen Sie zuerst die Buchstaben an: Setzen Sie den Haken, wenn sie stimmen.',
  },
  map: {
    title: 'Was jede Spalte wird',
    blank: 'In den ersten Zeilen leer',
    becomes: (column) => `Was aus „${column}“ wird`,
    fieldName: (column) => `Name des Feldes für „${column}“`,
    fieldType: (column) => `Art des Feldes für „${column}“`,
    leftOut: 'Weglassen',
    ownField: 'Ein eigenes Feld',
    types: {
      text: 'Text',
      number: 'Zahl',
      boolean: 'Ja oder nein',
      asItStands: 'Text, wie er dasteht',
    },
    targets: {
      email: 'E-Mail',
      phone: 'Telefon',
      name: 'Name',
      first_name: 'Vorname',
      last_name: 'Nachname',
      language: 'Sprache',
      tags: 'Tags',
      sha256: 'Prüfsumme einer Adresse (SHA-256)',
      reason: 'Grund',
      at: 'Seit wann',
      'consent.email': 'Einwilligung in E-Mails',
      'consent.email.source': 'Wo in E-Mails eingewilligt wurde',
      'consent.email.text': 'Wortlaut der Einwilligung in E-Mails',
      'consent.email.at': 'Wann in E-Mails eingewilligt wurde',
      'consent.email.left_at': 'Wann E-Mails abbestellt wurden',
      'consent.sms': 'Einwilligung in SMS',
      'consent.sms.source': 'Wo in SMS eingewilligt wurde',
      'consent.sms.text': 'Wortlaut der Einwilligung in SMS',
      'consent.sms.at': 'Wann in SMS eingewilligt wurde',
      'consent.sms.left_at': 'Wann SMS abbestellt wurden',
    },
  },
  consent: {
    title: 'Haben diese Personen eingewilligt?',
    about:
      'Eine Datei allein meldet niemanden an. Sagen Sie, wo und worin eingewilligt wurde; das wird bei jeder Person als Nachweis aufbewahrt. Wer sich abgemeldet hat, bleibt abgemeldet.',
    without: (rows) => `Zeilen, die angemeldet sagen, aber nicht, wo: ${rows}.`,
    agreed: {
      email: 'Sie haben Werbung per E-Mail zugestimmt',
      sms: 'Sie haben Werbung per SMS zugestimmt',
    },
    source: 'Wo sie zugestimmt haben',
    sourceMissing: 'Sagen Sie, wo sie zugestimmt haben, oder entfernen Sie den Haken.',
    textMissing: 'Sagen Sie, wozu sie zugestimmt haben, oder entfernen Sie den Haken.',
    sourceHint: 'Etwa: Anmeldeseite des Ladens.',
    text: 'Worin sie eingewilligt haben, im Wortlaut',
    textHint: 'Etwa: Schickt mir den Newsletter.',
  },
  reason: {
    title: 'Warum ihnen nicht geschrieben werden darf',
    label: 'Wo eine Zeile es nicht sagt',
    reasons: {
      unsubscribed: 'Sie haben sich abgemeldet: keine Werbung',
      complaint: 'Sie haben sich beschwert: keine Werbung',
      bounce: 'Ihre Adresse ist unzustellbar: auch keine Belege',
      manual: 'Ein anderer Grund: auch keine Belege',
    },
  },
  more: {
    title: 'Wie importiert wird',
    tags: 'Tags für alle in der Datei',
    mode: 'Personen, die schon Kontakte sind',
    modes: {
      update: 'Aktualisieren mit dem, was in der Datei steht',
      only_new: 'Unverändert lassen',
      fill_blanks: 'Nur ergänzen, was fehlt',
    },
    blanks: 'Eine leere Zelle nimmt den Wert weg',
    blanksHint: 'Sonst sagt sie nichts, und was bekannt ist, bleibt.',
  },
  result: {
    created: 'Neue Kontakte',
    updated: 'Aktualisiert',
    unchanged: 'Unverändert',
    refused: 'Abgelehnt',
    stayed: (rows) => `Zeilen von Abgemeldeten, die abgemeldet bleiben: ${rows}.`,
    withoutEvidence: (rows) =>
      `Zeilen, deren Einwilligung nicht übernommen wurde, weil nichts sagte, wo sie gegeben wurde: ${rows}.`,
    leftOut: (cells) =>
      `Nicht lesbare Zellen: ${cells}. Sie wurden weggelassen, ihre Zeilen ohne sie importiert.`,
    undone: (deleted, restored, left) =>
      `Kontakte gelöscht: ${deleted}, wiederhergestellt: ${restored}, belassen, weil sie seither geändert wurden: ${left}.`,
    nothing: 'Nichts wurde gespeichert.',
    suppressions: {
      created: 'Neu auf der Liste',
      updated: 'Strenger gesperrt',
      unchanged: 'Schon darauf',
      undone: (deleted, restored, left) =>
        `Von der Liste genommen: ${deleted}, zurückgesetzt: ${restored}, geblieben, weil eine andere Datei oder Meldung sie nennt: ${left}.`,
    },
  },
  errors: (rows) => `Abgelehnte Zeilen (${rows})`,
  errorsAndLeftOut: (rows, cells) =>
    `Abgelehnte Zeilen (${rows}) und weggelassene Zellen (${cells})`,
  undo: 'Import zurücknehmen',
  undoSuppressions: (until) =>
    `Wen er auf die Liste gesetzt hat, wird wieder heruntergenommen, außer wenn eine andere Datei oder Meldung die Person nennt. Das geht bis ${until}.`,
  undoText: (until) =>
    `Kontakte, die der Import angelegt hat und die seither niemand geändert hat, werden gelöscht; was er geändert hat, wird zurückgesetzt. Das geht bis ${until}.`,
}
