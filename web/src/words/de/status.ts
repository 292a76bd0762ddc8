import type { status as english } from '../en/status.ts'

export const status: typeof english = {
  title: 'Status',
  works: 'Crier läuft',
  worksText: 'Aufrufe werden angenommen und Nachrichten gesendet.',
  fails: 'Crier hat ein Problem',
  failsText: 'Angenommene Aufrufe und Nachrichten sind gespeichert und werden verarbeitet.',
  notOperator:
    'Nur der Betreiber sieht Warteschlangen, Knoten und Backups: die Person, deren Adresse die Warnungen dieses Dienstes erhält.',
  wrong: (count) => (count === 1 ? '1 Problem zu beheben' : `${count} Probleme zu beheben`),
  nothingWrong: 'Keine Probleme',
  checked: (count) => `${count} Prüfungen bestanden`,
  queues: 'Warteschlangen',
  queuesText: 'Wie lange der älteste fällige Job jeder Art wartet.',
  noQueue: 'Keine Jobs warten.',
  waits: (time) => `wartet ${time}`,
  dead: (count) => `${count} fehlgeschlagen`,
  fillings: 'Tabellen werden gefüllt',
  fillingsText:
    'Eine neue Version ändert diese Tabellen nach und nach, während der Dienst arbeitet.',
  filled: (percent) => `${percent} % erledigt`,
  day: 'Die letzten 24 Stunden',
  dayText: 'Jeder Balken steht für zehn Minuten, der letzte für jetzt.',
  work: {
    calls: 'Aufrufe',
    calls_failed: 'Aufrufe mit Serverfehler',
    mails: 'Gesendete E-Mails',
    texts: 'Gesendete SMS',
    messages_deferred: 'Vom Mailserver verzögerte Nachrichten',
    messages_failed: 'Fehlgeschlagene Nachrichten',
    webhooks: 'Zugestellte Webhooks',
    webhooks_failed: 'Fehlgeschlagene Webhooks',
  },
  total: (name, count) => `${name} pro zehn Minuten, insgesamt ${count}`,
  nodes: 'Knoten',
  node: 'Maschine',
  role: 'Rolle',
  roles: { api: 'API', worker: 'Worker', all: 'API und Worker' },
  since: 'Läuft seit',
  seen: 'Zuletzt gesehen',
  alive: 'läuft',
  gone: 'antwortet nicht',
  storage: 'Backups und Festplatte',
  backup: 'Neuestes Backup',
  noBackup: 'Noch kein vollständiges Backup',
  notMade: 'Keine automatischen Backups',
  old: (time) => `${time} alt`,
  disk: 'Freier Speicherplatz',
  sending: 'Versand',
  sends: 'läuft',
  paused: 'nach einer Wiederherstellung gestoppt, bis Sie ihn starten',
  checks: {
    queue: {
      name: 'Warteschlange',
      mend: 'Prüfen Sie, ob ein Worker läuft, und lesen Sie sein Log. crier doctor zeigt, was er nicht erreicht.',
    },
    dead: {
      name: 'Fehlgeschlagene Jobs',
      mend: 'crier jobs list zeigt die Fehler. Sind sie behoben, wiederholen Sie die Jobs mit crier jobs release ART.',
    },
    backup: {
      name: 'Backup',
      mend: 'Rufen Sie crier backup auf; die Ausgabe zeigt, was fehlt. Ohne BACKUP_TO gibt es keine automatischen Backups.',
    },
    archive: {
      name: 'Archiv',
      mend: 'Prüfen Sie, ob BACKUP_TO erreichbar ist, und lesen Sie das Log. Bis dahin lässt sich nur ein älterer Stand wiederherstellen.',
    },
    disk: {
      name: 'Festplatte',
      mend: 'Geben Sie Speicherplatz frei. Ist die Festplatte voll, steht die Datenbank und damit alles.',
    },
    workers: {
      name: 'Worker',
      mend: 'Starten Sie einen mit crier serve --role worker.',
    },
    sending: {
      name: 'Versand',
      mend: 'Prüfen Sie die wiederhergestellten Daten und rufen Sie dann crier sending start auf.',
    },
    relay: { name: 'Mailserver', mend: 'Lesen Sie das Log des Mailservers.' },
    clock: {
      name: 'Uhr',
      mend: 'Synchronisieren Sie alle Uhren per NTP: timedatectl set-ntp true.',
    },
    'clock jump': {
      name: 'Uhrensprung',
      mend: 'Synchronisieren Sie die Uhr per NTP: timedatectl set-ntp true. Stimmt sie jetzt, starten Sie dort den Dienst neu.',
    },
    durability: {
      name: 'Dauerhaftigkeit',
      mend: 'Schalten Sie fsync, full_page_writes und synchronous_commit in postgresql.conf ein und laden Sie die Konfiguration neu.',
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
      name: 'Dateispeicher',
      mend: 'Prüfen Sie STORAGE_URL, AWS_REGION, AWS_ENDPOINT_URL_S3 und den Zugriffsschlüssel.',
    },
    bounces: {
      name: 'Unzustellbare Mails',
      mend: 'Setzen Sie einen MX-Eintrag, der auf Port 25 zu BOUNCE_PORT führt.',
    },
  },
}
