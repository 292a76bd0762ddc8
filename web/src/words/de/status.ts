import type { StatusWords } from '../status.ts'

export const status: StatusWords = {
  title: 'Status',
  works: 'Crier funktioniert',
  worksText: 'Aufrufe werden angenommen und Nachrichten versendet.',
  fails: 'Crier funktioniert gerade nicht richtig',
  failsText: 'Was angenommen wurde, bleibt erhalten und geht von selbst weiter.',
  notOperator:
    'Warteschlangen, Knoten und Sicherungen sieht der Betreiber: die Person, deren Adresse der Dienst für seine eigenen Warnungen hat.',
  wrong: (count) => (count === 1 ? 'Eine Sache braucht Sie' : `${count} Sachen brauchen Sie`),
  nothingWrong: 'Nichts braucht Sie',
  checked: (count) => `${count} Prüfungen ohne Befund`,
  queues: 'Warteschlangen',
  queuesText: 'Wie lange der älteste fällige Auftrag jeder Art schon wartet.',
  noQueue: 'Kein Auftrag wartet.',
  waits: (time) => `wartet ${time}`,
  dead: (count) => `${count} aufgegeben`,
  day: 'Die letzten 24 Stunden',
  dayText: 'Jeder Balken steht für zehn Minuten, der letzte für jetzt.',
  work: {
    calls: 'Aufrufe',
    calls_failed: 'Aufrufe, die bei uns scheiterten',
    mails: 'Versendete Mails',
    texts: 'Versendete SMS',
    messages_deferred: 'Vom nächsten Server vertagte Nachrichten',
    messages_failed: 'Gescheiterte Nachrichten',
    webhooks: 'Zugestellte Webhooks',
    webhooks_failed: 'Gescheiterte Webhooks',
  },
  total: (name, count) => `${name} in je zehn Minuten, zusammen ${count}`,
  nodes: 'Knoten',
  node: 'Maschine',
  role: 'Rolle',
  roles: { api: 'API', worker: 'Worker', all: 'API und Worker' },
  since: 'Läuft seit',
  seen: 'Zuletzt gesehen',
  alive: 'läuft',
  gone: 'weg',
  storage: 'Sicherungen und Platte',
  backup: 'Neueste Sicherung',
  noBackup: 'Noch keine ist vollständig',
  notMade: 'Von selbst wird keine gemacht',
  old: (time) => `${time} alt`,
  disk: 'Frei auf der Platte',
  sending: 'Versand',
  sends: 'läuft',
  paused: 'wartet seit einer Wiederherstellung auf eine Person',
  checks: {
    queue: {
      name: 'Warteschlange',
      mend: 'Sehen Sie nach, ob ein Worker läuft, und lesen Sie sein Log; crier doctor nennt, was er nicht erreicht.',
    },
    dead: {
      name: 'Aufgegebene Aufträge',
      mend: 'crier jobs list nennt die Fehler; sind sie behoben, crier jobs release ART.',
    },
    backup: {
      name: 'Sicherung',
      mend: 'Rufen Sie crier backup auf; es sagt, was fehlt. Ohne BACKUP_TO macht der Dienst keine von selbst.',
    },
    archive: {
      name: 'Archiv',
      mend: 'Sehen Sie nach, ob BACKUP_TO erreichbar ist, und lesen Sie das Log: Bis dahin lässt sich nur ein älterer Stand wiederherstellen.',
    },
    disk: {
      name: 'Platte',
      mend: 'Schaffen Sie Platz: Eine volle Platte hält die Datenbank an und damit alles.',
    },
    workers: {
      name: 'Worker',
      mend: 'Starten Sie einen mit crier serve --role worker.',
    },
    sending: {
      name: 'Versand',
      mend: 'Sehen Sie sich um, dann crier sending start.',
    },
    relay: { name: 'Relay', mend: 'Lesen Sie das Log des Relays.' },
    clock: {
      name: 'Uhr',
      mend: 'Stellen Sie alle Uhren nach NTP: timedatectl set-ntp true.',
    },
    'clock jump': {
      name: 'Sprung der Uhr',
      mend: 'Stellen Sie die Uhr nach NTP: timedatectl set-ntp true. Stimmt sie jetzt, starten Sie dort den Dienst neu.',
    },
    durability: {
      name: 'Dauerhaftigkeit',
      mend: 'Schalten Sie fsync, full_page_writes und synchronous_commit in postgresql.conf ein und laden Sie neu.',
    },
    addresses: {
      name: 'Adressen der Knoten',
      mend: 'Geben Sie allen Knoten dieselben BASE_URL, APP_URL und GATEWAY_URL.',
    },
    'public names': {
      name: 'Öffentliche Namen',
      mend: 'Setzen Sie einen A- oder AAAA-Eintrag, der zu dieser Maschine oder ihrem Proxy führt.',
    },
    files: {
      name: 'Ablage der Dateien',
      mend: 'Prüfen Sie STORAGE_URL, AWS_REGION, AWS_ENDPOINT_URL_S3 und den Schlüssel.',
    },
    bounces: {
      name: 'Unzustellbare Mails',
      mend: 'Setzen Sie einen MX-Eintrag, der zu BOUNCE_PORT führt, Port 25.',
    },
  },
}
