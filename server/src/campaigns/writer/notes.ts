/** What the maker of a draft is told about it, in the languages of the gallery. */
import type { GalleryLanguage } from '../../templates/gallery/mail.ts'

interface NoteWords {
  fromGallery(title: string): string
  missing(labels: string): string
  doubts(sentences: string): string
  toWriter(wishes: string): string
  several(label: string, facts: string): string
  longText(segments: number): string
  noRoom(words: string): string
  noModel: string
  otherLanguage(language: string, ofBusiness: string): string
  tone(tone: string): string
  emptySlots(labels: string): string
  audience(tags: readonly string[]): string
  unmatched(audience: string): string
  isAutomation: string
  nothingFits: string
}

const en: NoteWords = {
  fromGallery: (title) =>
    `It is the gallery’s “${title}” with the facts of the brief (template.gallery has others).`,
  missing: (labels) =>
    `The brief does not say: ${labels}. Write these in before it is sent, or delete their blocks.`,
  doubts: (sentences) => `The brief is not sure of what stands in [[ ]]: ${sentences}`,
  toWriter: (wishes) => `These words speak to the writer and are not in the mail: ${wishes}`,
  several: (label, facts) => `The brief names several for “${label}” (${facts}): write which one.`,
  longText: (segments) =>
    `The text message takes ${segments} parts, each of which is paid for: shorten it.`,
  noRoom: (words) => `The text message has no room for: ${words}`,
  noModel: 'No language model is set up here: WRITER_URL names one.',
  otherLanguage: (language, ofBusiness) =>
    `It is in the language of the brief (${language}), and the business writes in ${ofBusiness}.`,
  tone: (tone) => `The gallery’s words have their own tone; “${tone}” was not applied.`,
  emptySlots: (labels) =>
    `These slots have no fact: ${labels}. It cannot be sent before they are filled, or their blocks deleted.`,
  audience: (tags) => `Its audience are contacts tagged ${tags.join(' or ')}.`,
  unmatched: (audience) =>
    `No tag matches its audience, “${audience}”: it cannot be deployed before campaign.save chooses tags, or audience: {} for everyone.`,
  isAutomation:
    'This asks for a mail that is sent by itself when somebody does something. A campaign goes once, to many at the same time: nothing was made. sequence.save makes such an automation, from templates or its own content: template.gallery lists mails for it.',
  nothingFits:
    'Nothing in the gallery fits this brief: nothing was made. Say what people are to be told (what, when, where, for how much), give brief.kind, or choose a mail with template.gallery. Or give the content.',
}

const de: NoteWords = {
  fromGallery: (title) => `Vorlage der Galerie: „${title}“, mit den Angaben aus dem Briefing.`,
  missing: (labels) =>
    `Im Briefing fehlt: ${labels}. Vor dem Versand ergänzen oder die Bausteine löschen.`,
  doubts: (sentences) => `Im Briefing steht nicht sicher fest, was in [[ ]] steht: ${sentences}`,
  toWriter: (wishes) => `An den Verfasser gerichtet und nicht in der E-Mail: ${wishes}`,
  several: (label, facts) =>
    `Für „${label}“ nennt das Briefing mehrere Angaben (${facts}): bitte eine davon eintragen.`,
  longText: (segments) =>
    `Die Textnachricht besteht aus ${segments} Teilen, die einzeln bezahlt werden: bitte kürzen.`,
  noRoom: (words) => `In der Textnachricht ist kein Platz für: ${words}`,
  noModel: 'Hier ist kein Sprachmodell eingerichtet (WRITER_URL).',
  otherLanguage: (language, ofBusiness) =>
    `Der Entwurf ist in der Sprache des Briefings (${language}), das Unternehmen schreibt in ${ofBusiness}.`,
  tone: (tone) => `Die Texte der Galerie haben ihren eigenen Ton; „${tone}“ wurde nicht umgesetzt.`,
  emptySlots: (labels) =>
    `Es fehlen Angaben: ${labels}. Vor dem Versand ergänzen oder die Bausteine löschen.`,
  audience: (tags) => `Empfänger sind Kontakte mit dem Tag ${tags.join(' oder ')}.`,
  unmatched: (audience) =>
    `Zur Zielgruppe „${audience}“ passt kein Tag: vor dem Versand unter „Empfänger“ auswählen.`,
  isAutomation:
    'Gewünscht ist eine E-Mail, die von selbst verschickt wird, wenn jemand etwas tut. Eine Kampagne geht einmal und an viele gleichzeitig: Es wurde nichts erstellt. Dafür gibt es Automationen (sequence.save), mit Vorlagen oder eigenem Inhalt.',
  nothingFits:
    'Zu diesem Briefing passt nichts aus der Galerie: Es wurde nichts erstellt. Beschreiben, was die Empfänger erfahren sollen (was, wann, wo, zu welchem Preis), oder eine E-Mail aus der Galerie wählen.',
}

const fr: NoteWords = {
  fromGallery: (title) => `Modèle de la galerie : « ${title} », avec les informations du brief.`,
  missing: (labels) =>
    `Le brief ne précise pas : ${labels}. À compléter avant l’envoi, ou supprimez les blocs.`,
  doubts: (sentences) => `Le brief n’est pas sûr de ce qui figure entre [[ ]] : ${sentences}`,
  toWriter: (wishes) =>
    `Ces mots s’adressent au rédacteur et ne sont pas dans l’e-mail : ${wishes}`,
  several: (label, facts) =>
    `Le brief donne plusieurs valeurs pour « ${label} » (${facts}) : indiquez laquelle.`,
  longText: (segments) => `Le SMS compte ${segments} parties, toutes facturées : raccourcissez-le.`,
  noRoom: (words) => `Il n’y a pas de place dans le SMS pour : ${words}`,
  noModel: 'Aucun modèle de langage n’est configuré ici (WRITER_URL).',
  otherLanguage: (language, ofBusiness) =>
    `Il est dans la langue du brief (${language}), et l’entreprise écrit en ${ofBusiness}.`,
  tone: (tone) =>
    `Les textes de la galerie ont leur propre ton ; « ${tone} » n’a pas été appliqué.`,
  emptySlots: (labels) =>
    `Il manque des informations : ${labels}. À compléter avant l’envoi, ou supprimez les blocs.`,
  audience: (tags) => `Destinataires : les contacts avec le tag ${tags.join(' ou ')}.`,
  unmatched: (audience) =>
    `Aucun tag ne correspond à la cible « ${audience} » : choisissez les destinataires avant l’envoi.`,
  isAutomation:
    'La demande porte sur un e-mail envoyé automatiquement quand quelqu’un fait quelque chose. Une campagne part une seule fois, à tous en même temps : rien n’a été créé. Les automatisations (sequence.save) le font, à partir de modèles ou d’un contenu propre.',
  nothingFits:
    'Rien dans la galerie ne correspond à ce brief : rien n’a été créé. Dites ce que les destinataires doivent savoir (quoi, quand, où, à quel prix), ou choisissez un e-mail de la galerie.',
}

export const noteWords = (language: GalleryLanguage = 'en'): NoteWords => ({ en, de, fr })[language]
