import type { reports as english } from '../en/reports.ts'

export const reports: typeof english = {
  title: 'Berichte',
  csv: 'CSV herunterladen',
  asTable: 'Als Tabelle zeigen',
  period: 'Zeitraum',
  periods: { '30': 'Letzte 30 Tage', '90': 'Letzte 90 Tage', '365': 'Letzte 365 Tage' },
  growth: {
    title: 'E-Mail-Abonnenten',
    subscribers: 'Abonnenten',
    gained: 'Gewonnen',
    lost: 'Verloren',
    net: 'Saldo',
    day: 'Tag',
    week: 'Woche ab',
    label: (gained: string, lost: string) => `${gained} Abonnenten gewonnen und ${lost} verloren`,
    lostBy: (unsubscribed: string, bounced: string, complained: string, stopped: string) =>
      `Verloren: ${unsubscribed} abgemeldet, ${bounced} unzustellbar, ${complained} ${complained === '1' ? 'Beschwerde' : 'Beschwerden'}, ${stopped} von Ihnen gesperrt.`,
    confirmed: (count: string) =>
      count === '0'
        ? 'Keiner der Gewonnenen hat per E-Mail bestätigt.'
        : count === '1'
          ? '1 der Gewonnenen hat per E-Mail bestätigt.'
          : `${count} der Gewonnenen haben per E-Mail bestätigt.`,
    erased: (count: string) =>
      count === '1'
        ? '1 Person wurde in diesem Zeitraum gelöscht und wird nicht mehr gezählt, auch nicht am Tag ihrer Anmeldung.'
        : `${count} Personen wurden in diesem Zeitraum gelöscht und werden nicht mehr gezählt, auch nicht am Tag ihrer Anmeldung.`,
  },
  campaign: {
    title: 'Kampagne',
    choose: 'Kampagne',
    compareWith: 'Vergleichen mit',
    nothing: 'keine',
    none: 'Es wurde noch keine Kampagne gesendet.',
    figure: 'Kennzahl',
    this: 'Diese Kampagne',
    usual: (count: string) => `Durchschnitt der ${count} davor`,
    noUsual: 'Durchschnitt der vorigen',
    rates: {
      delivered: 'Zugestellt',
      bounced: 'Unzustellbar',
      opened: 'Geöffnet (ohne Bots)',
      clicked: 'Geklickt',
      unsubscribed: 'Abgemeldet',
      complained: 'Beschwerden',
    },
    sent: 'Gesendet',
    notReported: 'nicht gemeldet',
    gmail: 'Gmail meldet keine Beschwerden.',
    beyondChance: 'Unterschied kein Zufall',
    withinChance: 'kann Zufall sein',
    judged: (people: string, judged: string) =>
      `${people} ${people === '1' ? 'Person hat' : 'Personen haben'} sie geöffnet, von ${judged} Empfängern, bei denen sich das sagen lässt.`,
    notJudged: (machines: string, untracked: string) =>
      `Nicht bekannt: ${machines}, deren Mailprogramm Bilder von selbst lädt (Apple Mail), ${untracked} ohne Tracking.`,
    howJudged:
      'Eine Öffnung zählt als die eines Menschen, wenn ein Mailprogramm oder der Bilder-Proxy von Gmail oder Yahoo das Bild lädt, außer innerhalb von Sekunden nach der Zustellung.',
    unsubscribes: 'Wie abgemeldet wurde',
    ways: {
      one_click: 'Über den Knopf im Mailprogramm',
      page: 'Auf der Abmeldeseite',
      other: 'Auf anderem Weg',
    },
    revenue: 'Umsatz',
    orders: (orders: string, refunds: string) => `${orders} Bestellungen, ${refunds} Erstattungen`,
    segments: 'Nach Segment',
    segmentsAbout: 'Gezählt wird, wer jetzt in einem Segment ist. Jemand kann in mehreren sein.',
    segment: 'Name des Segments',
    opened: 'Geöffnet',
    clicked: 'Geklickt',
    overTime: 'Öffnungen und Klicks im Verlauf',
    overTimeLabel: (opened: string, clicked: string) =>
      `${opened} Öffnungen und ${clicked} Klicks im Verlauf`,
    time: 'Zeit',
  },
  audience: {
    title: 'Zielgruppe',
    joined: 'Nach Monat des Beitritts und Herkunft',
    month: 'Monat',
    before: 'Davor',
    sources: { api: 'Von Hand oder API', import: 'Datei-Import', form: 'Formular' },
    source: 'Herkunft',
    contacts: 'Kontakte',
    subscribed: 'Angemeldet',
    engaged: 'In 90 Tagen geöffnet oder geklickt',
    notTracked: 'Ohne Tracking',
    staying: 'Wie viele bleiben',
    stayingAbout:
      'Von denen, die sich in einem Monat zum ersten Mal angemeldet haben: der Anteil, der nach so vielen Monaten noch dabei ist.',
    after: (months: string) => `Nach ${months} Mon.`,
    none: 'Es ist noch niemand dabei.',
  },
}
