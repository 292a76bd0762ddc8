import type { feeds as english } from '../en/feeds.ts'

/** Why a feed cannot be read, by the words of the answer, which stay where none are here. */
const problems: Record<keyof typeof english.problems, string> = {
  'has an address that cannot be reached from here':
    'Die Adresse ist von hier aus nicht erreichbar',
  'has a host name that does not exist': 'Den Namen des Servers gibt es nicht',
  'takes no connection': 'Der Server nimmt keine Verbindung an',
  'has no valid certificate': 'Das Zertifikat ist ungültig',
  'does not speak HTTP': 'Der Server spricht kein HTTP',
  'does not answer in time': 'Der Server antwortet nicht rechtzeitig',
  'sends on to an address that is none': 'Er leitet an eine ungültige Adresse weiter',
  'is larger than 5 MB': 'Der Feed ist größer als 5 MB',
  'ends before its end': 'Die Antwort bricht vor ihrem Ende ab',
  'sends on from address to address': 'Er leitet immer weiter',
  'is nested too deeply': 'Der Feed ist zu tief verschachtelt',
  'has too many items': 'Der Feed hat zu viele Beiträge',
  'is a web page: give the address of its feed':
    'Das ist eine Webseite: Geben Sie die Adresse ihres Feeds an',
  'is no RSS, Atom or JSON Feed': 'Das ist weder RSS noch Atom noch ein JSON-Feed',
  'is JSON with a fault': 'Das JSON ist fehlerhaft',
  'is JSON, but no JSON Feed': 'Das ist JSON, aber kein JSON-Feed',
  'is no JSON': 'Das ist kein JSON',
  'has no list where the mapping says': 'Dort, wo die Zuordnung es sagt, steht keine Liste',
  'has no title and address where the mapping says':
    'Dort, wo die Zuordnung es sagt, stehen keine Titel und Adressen',
}

const answers = 'answers '
const problemIn = (problem: string): string =>
  problem.startsWith(answers)
    ? `Der Server antwortet mit ${problem.slice(answers.length)}`
    : ((problems as Record<string, string>)[problem] ?? problem)

export const feeds: typeof english = {
  title: 'Blog-Feeds',
  all: 'Alle Feeds',
  add: 'Neuer Feed',
  empty:
    'Noch keine Feeds. Ein Feed sendet neue Beiträge Ihres Blogs per E-Mail: Jede Person bekommt, was seit ihrer letzten E-Mail erschienen ist.',
  name: 'Name',
  status: 'Status',
  next: 'Nächste E-Mail',
  issues: 'E-Mails',
  states: {
    draft: 'Entwurf',
    awaiting_approval: 'Wartet auf Freigabe',
    running: 'Läuft',
    paused: 'Pausiert',
    broken: 'Nicht lesbar',
  },
  url: 'Adresse des Feeds',
  urlHint: 'Ein RSS-, Atom- oder JSON-Feed, etwa https://blog.example.com/feed.xml.',
  every: 'Wie oft',
  everies: {
    day: 'Jeden Tag',
    week: 'Jeden Montag',
    month: 'Am Ersten des Monats',
    times: 'Zu festen Zeiten der Woche',
  },
  at: 'Uhrzeit',
  times: 'Tage und Uhrzeiten',
  timesHint: 'In der Zeitzone Ihres Unternehmens.',
  weekday: (place) => `Tag ${place}`,
  timeOfDay: (place) => `Uhrzeit ${place}`,
  removeTime: (place) => `Uhrzeit ${place} entfernen`,
  addTime: 'Uhrzeit hinzufügen',
  topic: 'Thema',
  noTopic: 'Kein Thema',
  segment: 'Segment',
  everybody: 'Alle, die E-Mails abonniert haben',
  subject: 'Betreff',
  firstSubject: 'Neu: {{ item.title }}',
  firstHeading: 'Neu in unserem Blog',
  readOn: 'Weiterlesen',
  max: 'Höchstens so viele Beiträge je E-Mail',
  take: 'Wenn es mehr sind',
  takes: { newest: 'Ältere weglassen', unseen: 'Beim nächsten Mal senden' },
  approve: 'Freigabe',
  approvals: { once: 'Einmal, danach nur bei Ungewöhnlichem', each: 'Vor jeder E-Mail' },
  beginWith: 'Frühere Beiträge in der ersten E-Mail',
  mail: 'E-Mail',
  rule: 'Feed und Zeitplan',
  save: 'Speichern',
  saved: 'Feed gespeichert',
  tabs: { issues: 'E-Mails', edit: 'Bearbeiten', start: 'Vorschau und Start' },
  preview: 'Nächste E-Mail',
  recipients: (count, shown) =>
    `${shown} ${count === 1 ? 'Person bekäme' : 'Personen bekämen'} sie jetzt`,
  found: 'Neueste Beiträge im Feed',
  noPosts: 'Der Feed hat noch keine Beiträge.',
  hosts: 'Links und Bilder führen zu',
  hostsAbout: 'Eine E-Mail mit Links oder Bildern zu anderen Adressen wartet auf Freigabe.',
  checks: 'Prüfungen',
  firstAt: 'Erste E-Mail',
  start: 'Starten',
  startText: (before) => {
    const except =
      before === 1 ? ', außer dem neuesten Beitrag' : `, außer den neuesten ${before} Beiträgen`
    return `Ab jetzt gehen neue Beiträge per E-Mail hinaus. Was schon im Feed steht, wird nicht gesendet${before > 0 ? except : ''}.`
  },
  startAgain: 'Mit diesen Änderungen starten',
  waits: 'Dieser Start wartet auf Freigabe',
  waitsAbout: 'Ein Assistent, ein Programm oder ein anderes Mitglied möchte ihn starten.',
  approveIt: 'Freigeben und starten',
  bounds: 'In Grenzen freigeben',
  boundsAbout: 'Eine E-Mail jenseits einer Grenze wartet auf eine Person.',
  boundPeople: 'Empfänger pro E-Mail, höchstens',
  boundDays: 'Tage, bis jede E-Mail freigegeben werden muss',
  noBound: 'Leer lassen für keine Grenze.',
  refuse: 'Ablehnen',
  blocked: 'Beheben Sie zuerst, was rot markiert ist.',
  nowRunning: 'Der Feed läuft',
  nowWaiting: 'Der Start wartet auf Freigabe',
  refused: 'Der Start wurde abgelehnt',
  pause: 'Pausieren',
  resume: 'Fortsetzen',
  delete: 'Feed löschen',
  deleted: 'Feed gelöscht',
  deleteAbout: 'Seine E-Mails und ihre Ergebnisse bleiben.',
  cancel: 'Abbrechen',
  failed: 'Das hat nicht geklappt',
  noIssues: 'Noch keine E-Mails.',
  number: 'Nr.',
  posts: 'Beiträge',
  sent: 'Gesendet',
  opened: 'Geöffnet',
  clicked: 'Geklickt',
  unreadable: (problem) => `Der Feed ist nicht lesbar: ${problemIn(problem)}.`,
  broken: (problem) =>
    `Der Feed ist nicht lesbar (${problemIn(problem)}). Crier versucht es weiter.`,
  problems,
  waiting: 'Die vorige E-Mail ist noch nicht fertig, deshalb wartet die nächste.',
  changed: 'Diese Änderungen gelten, sobald Sie den Feed neu starten.',
  pausedBecause: {
    stopped:
      'Pausiert, weil der gesamte Versand oder die App, die ihn gestartet hat, angehalten wurde.',
    restored:
      'Pausiert, weil ein Backup wiederhergestellt wurde. Beim Fortsetzen gelten Beiträge, die jetzt im Feed stehen, als gesendet.',
  },
  waitsFor: {
    each: 'Jede E-Mail braucht eine Freigabe',
    hosts: 'Neue Adressen von Links oder Bildern',
    items: 'Ungewöhnlich viele Beiträge',
    size: 'Ungewöhnlich groß',
    sender: 'Anderer Absender',
    brand: 'Das Aussehen hat sich geändert',
    ended: 'Die Freigabe ist abgelaufen',
  },
}
