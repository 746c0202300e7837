import type { Texts } from "../Language.ts"

/** Why the service could not take over, or has passed over, what a platform has sent. */
const ofPlatforms = {
  "1 piece": "1 Stück",
  "{} pieces": "{} Stück",
  "The line {} is not placed: {}": "Die Position {} wird nicht angenommen: {}",
  "{} stays as it was made: {} instead of {} now": "{} bleibt, wie es gefertigt wurde: jetzt {} statt {}",
  "{} is no longer wanted: its line was removed or refunded":
    "{} wird nicht mehr gebraucht: Seine Position wurde entfernt oder erstattet",
  "{}: {} instead of {}": "{}: {} statt {}",
  "The design {} is priced in another currency than its order":
    "Der Preis des Designs {} ist in einer anderen Währung als die Bestellung",
  "{} stays in the order {}, which this one is a part of, or the whole of":
    "{} bleibt in der Bestellung {}, von der diese ein Teil ist, oder das Ganze",
  "The design {} can't be ordered again: its texts were redacted":
    "Das Design {} lässt sich nicht noch einmal bestellen: Seine Texte wurden entfernt",
  "The design {} belongs to the order {}": "Das Design {} gehört zur Bestellung {}",
  "{}, and a setting refuses copies": "{}, und eine Einstellung verbietet Kopien",
  "The order keeps its name {}": "Die Bestellung behält ihren Namen {}",
  "not paid": "nicht bezahlt",
  pending: "noch unbezahlt",
  authorized: "nur autorisiert",
  partially_paid: "nur teilweise bezahlt",
  voided: "storniert (Zahlung)",
  expired: "abgelaufen (Zahlung)",
  refunded: "erstattet",
  fulfilled: "versandt",
  archived: "archiviert",
  "a test order": "eine Testbestellung",
  "in the state {}, which no setting names": "im Status {}, den keine Einstellung nennt",
  "A test notification of Shopify, about no order": "Eine Testbenachrichtigung von Shopify, zu keiner Bestellung",
  "cancelled_at: missing, and a topic cancels no order": "cancelled_at fehlt, und ein Topic storniert keine Bestellung",
  "The app was removed from the shop: its platform sends no more orders":
    "Die App wurde aus dem Shop entfernt: Seine Plattform sendet keine Bestellungen mehr",
  ["The topic {} is none of a webhook: Shopify's newer events have another form, so the app has to subscribe to " +
    "webhooks such as orders/create and orders/updated"]:
    "Das Topic {} ist keines eines Webhooks: Shopifys neuere Ereignisse haben eine andere Form. Die App muss " +
    "Webhooks wie orders/create und orders/updated abonnieren",
  "Designs are not concerned by the topic {}": "Das Topic {} betrifft keine Designs",
  "the name of an order": "der Name einer Bestellung",
  "a customer": "eine Kundin oder ein Kunde",
  "a date-time in UTC without an offset": "ein Zeitpunkt in UTC ohne Zeitverschiebung",
  "the address of an order": "die Adresse einer Bestellung",
  "{} of the order were refunded: which pieces, only the shop knows":
    "Von der Bestellung wurden {} erstattet: für welche Stücke, weiß nur der Shop",
  ["WooCommerce has sent an error in place of the order, {}: {}. The user of the webhook may not read orders: an " +
    "administrator has to save the webhook again"]:
    "WooCommerce hat statt der Bestellung einen Fehler gesendet, {}: {}. Der Benutzer des Webhooks darf Bestellungen " +
    "nicht lesen: Ein Administrator muss den Webhook noch einmal speichern",
  "missing: the platform must send webhooks with all their fields":
    "fehlt: Die Plattform muss Webhooks mit allen Feldern senden",
  "{}: the body is not one of this topic": "{}: Der Inhalt passt nicht zu diesem Topic",
  "{}: more than {} elements": "{}: mehr als {} Elemente",
  "The body is not readable": "Der Inhalt ist nicht lesbar",
  "The body": "Der Inhalt",
  "its property {} is {}": "Ihre Eigenschaft {} ist {}",
  "its property {} names {} and {}": "Ihre Eigenschaft {} nennt {} und {}",
  "its quantity is not a whole number": "Ihre Menge ist keine ganze Zahl",
  "The storage of the service can't carry it out: the log of the service says why":
    "Die Datenbank des Dienstes kann es nicht ausführen: Das Log des Dienstes sagt, warum",
  "It was dismissed: {}": "Es wurde verworfen: {}",
  "It was dismissed": "Es wurde verworfen",
  "it can be placed by hand": "Sie lässt sich von Hand annehmen",
  "A newer state of the order {} came before": "Ein neuerer Stand der Bestellung {} kam vorher",
  "The order {} came without designs": "Die Bestellung {} kam ohne Designs",
  "The platform has deleted the order {}": "Die Plattform hat die Bestellung {} gelöscht",
  "The order was cancelled": "Die Bestellung wurde storniert",
  "The order {} is not made any more": "Die Bestellung {} wird nicht mehr gefertigt",
  "The order {} stays, as a person has decided": "Die Bestellung {} bleibt, wie jemand entschieden hat",
  "The platform no longer has the order {}, which is made here: cancel it, or place it by hand to keep it":
    "Die Plattform hat die Bestellung {} nicht mehr, die hier gefertigt wird: Stornieren Sie sie, oder nehmen Sie " +
    "sie von Hand an, damit sie bleibt",
  "{} and {} more": "{} und {} weitere",
  "The buyer's data was redacted": "Die persönlichen Angaben wurden entfernt",
  "The shop has no order of the buyer": "Der Shop hat keine Bestellung dieser Person",
  "Redacted the orders {}": "Entfernt wurden die persönlichen Angaben der Bestellungen {}",
  "The buyer asks for the data of the orders {}": "Verlangt werden die persönlichen Daten der Bestellungen {}",
  "The request is for {}, but the domain of {} is {}: if it is this shop, give it that domain, and try the event again":
    "Die Anfrage gilt {}, aber die Domain von {} ist {}: Ist es dieser Shop, geben Sie ihm jene Domain, und " +
    "versuchen Sie das Ereignis erneut",
  "names no shop": "nennt keinen Shop",
  "is for {}": "gilt {}",
  "The request to remove a shop {}, but the domain of {} is {}: if it is this shop, delete it":
    "Die Anfrage, einen Shop zu entfernen, {}, aber die Domain von {} ist {}: Ist es dieser Shop, löschen Sie ihn",
  "The event that the app was removed names no shop": "Das Ereignis, dass die App entfernt wurde, nennt keinen Shop",
  "No line has the property {}": "Keine Position hat die Eigenschaft {}",
  "A newer state of the order came": "Ein neuerer Stand der Bestellung kam",
  "A newer state of the order came, in which it is not cancelled":
    "Ein neuerer Stand der Bestellung kam, in dem sie nicht storniert ist",
  "The order {} was cancelled before it came": "Die Bestellung {} wurde storniert, bevor sie kam",
  "The order {} has no pieces left to be made": "Von der Bestellung {} ist kein Stück mehr zu fertigen",
  "The order {} is a test order: {}": "Die Bestellung {} ist eine Testbestellung: {}",
  "The order {} is {} and was never placed, so there is nothing to make: {}":
    "Die Bestellung {} ist {} und wurde nie angenommen, also ist nichts zu fertigen: {}",
  "The order {} is {}: place it by hand, or name the state in the settings if its orders must be made":
    "Die Bestellung {} ist {}: Nehmen Sie sie von Hand an, oder nennen Sie den Status in den Einstellungen, wenn " +
    "solche Bestellungen zu fertigen sind",
  "The order {} is {}: it is placed once it is paid":
    "Die Bestellung {} ist {}: Sie wird angenommen, sobald sie bezahlt ist",
  "The payment of the order {} is {}: it was cancelled": "Die Zahlung der Bestellung {} ist {}: Sie wurde storniert",
  "The order {} was cancelled, which is final, and its platform has opened it again":
    "Die Bestellung {} wurde storniert, was endgültig ist, und ihre Plattform hat sie wieder geöffnet",
  "The order {} is cancelled": "Die Bestellung {} ist storniert",
  "{} is a copy of {}": "{} ist eine Kopie von {}",
  "{}, which the order {} has": "{} aus der Bestellung {}",
  "its line is placed once it has": "Seine Position wird angenommen, sobald er es hat",
  "the order is placed once it has": "Die Bestellung wird angenommen, sobald er es hat",
  "The shop has no design {}: {}": "Der Shop hat das Design {} nicht: {}",
  "The order {} is {}: {} is placed once it is paid":
    "Die Bestellung {} ist {}: {} wird angenommen, sobald sie bezahlt ist",
  "The order {} is {}, so {} was not added to it: {}": "Die Bestellung {} ist {}, also kam {} nicht dazu: {}",
  "The order {} was shipped and never placed, so there is nothing to make: {}":
    "Die Bestellung {} wurde versandt und nie angenommen, also ist nichts zu fertigen: {}",
}

/** Why a platform can't be asked. */
const ofQuestions = {
  "The platform refuses the access key ({})": "Die Plattform lehnt den API-Schlüssel ab ({})",
  "The platform was asked too often (429)": "Die Plattform wurde zu oft gefragt (429)",
  "The platform has answered {}": "Die Plattform hat {} geantwortet",
  "{}: the domain of the connection leads elsewhere": "{}: Die Domain der Verbindung führt woandershin",
  "The answer of the platform can't be read: {}": "Die Antwort der Plattform ist nicht lesbar: {}",
  "The platform was asked too much: {}": "Die Plattform wurde zu viel gefragt: {}",
  "The access key lacks a right: {}": "Dem API-Schlüssel fehlt ein Recht: {}",
  "The platform has answered: {}": "Die Plattform hat geantwortet: {}",
  "The connection has no access key": "Die Verbindung hat keinen API-Schlüssel",
  "It was asked {} times, and has not come to an end": "Sie wurde {}-mal gefragt und kam nicht zum Ende",
  "The domain of the connection is refused: {}": "Die Domain der Verbindung ist nicht erlaubt: {}",
  "The domain of the connection was not found": "Die Domain der Verbindung wurde nicht gefunden",
  "The platform has not answered: {}": "Die Plattform hat nicht geantwortet: {}",
  "The body is not JSON, or ends in the middle": "Der Inhalt ist kein JSON oder endet mittendrin",
}

/** Why a selection is not allowed. */
const ofEvaluation = {
  "Question {} ({}) {}": "Die Frage {} ({}) {}",
  "The selection must be an object of question ids, not {}":
    "Die Auswahl muss ein Objekt mit den IDs von Fragen sein, nicht {}",
  "The customizer has no question {}": "Der Customizer hat keine Frage {}",
  "is required: expected {}": "muss beantwortet werden. Erwartet wird {}",
  "has no answer {}: expected {}": "hat keine Antwort {}. Erwartet wird {}",
  "cannot have answer {}: it is disabled by other answers of this selection":
    "kann die Antwort {} nicht haben: Andere Antworten dieser Auswahl schließen sie aus",
  "one of the answer ids {}": "eine der Antwort-IDs {}",
  "a list of answer ids from {}": "eine Liste von Antwort-IDs aus {}",
  'an object such as {"text": "…"}': 'ein Objekt wie {"text": "…"}',
  "an upload id": "eine Upload-ID",
  "a list of upload ids, at most {}": "eine Liste von höchstens {} Upload-IDs",
  "must be {}": "muss {} sein",
  "{}, not {}": "{}, nicht {}",
  "{}; its item [{}] is {}": "{}; ihr Element [{}] ist {}",
  '{}; it has no "text"': "{}; „text“ fehlt",
  '{}; its "text" must be a string, not {}': "{}; „text“ muss ein Text sein, nicht {}",
  "has an object that cannot be kept: {} {}": "hat ein Objekt, das sich nicht speichern lässt: {} {}",
  "has too few {} ({}): expected at least {}": "hat zu wenige {} ({}), nötig sind mindestens {}",
  "has too many {} ({}): expected at most {}": "hat zu viele {} ({}), erlaubt sind höchstens {}",
  "names {} more than once: expected different {}": "nennt {} mehrmals, nötig sind verschiedene {}",
  answers: "Antworten",
  uploads: "Uploads",
  "has upload id {}: expected 1 to {} characters, none of them a control character":
    "hat die Upload-ID {}. Erlaubt sind 1 bis {} Zeichen, darunter kein Steuerzeichen",
  "has a text of {} characters: expected at most {}": "hat einen Text von {} Zeichen, erlaubt sind höchstens {}",
  "has a text with control characters: expected none but line breaks (\\n, \\r)":
    "hat einen Text mit Steuerzeichen, erlaubt sind nur Zeilenumbrüche (\\n, \\r)",
  "holds a NUL character or half a surrogate pair; only well-formed Unicode without NUL can be kept":
    "enthält ein NUL-Zeichen oder ein halbes Surrogatpaar. Speichern lässt sich nur wohlgeformtes Unicode ohne NUL",
  "has a key that {}": "hat einen Schlüssel, der {}",
  "must not hold more than {} values": "darf nicht mehr als {} Werte enthalten",
  "is nested more than {} levels deep": "ist mehr als {} Ebenen tief verschachtelt",
  "must be JSON: an object, a list, a string, a number, a boolean or null":
    "muss JSON sein: ein Objekt, eine Liste, ein Text, eine Zahl, ein Wahrheitswert oder null",
  "an empty list": "eine leere Liste",
  "a list": "eine Liste",
  "an empty string": "ein leerer Text",
  "an object": "ein Objekt",
  missing: "nicht vorhanden",
}

/** Why a definition can't be published. */
const ofPublishing = {
  "must be {}, not {}": "muss {} sein, nicht {}",
  "is missing; it must be {}": "fehlt; nötig ist {}",
  "must have exactly {}; it has {}": "muss genau {} haben, hat aber {}",
  "none of them": "keines davon",
  "{} and {}": "{} und {}",
  "one of {}": "eine von {}",
  "{} or {}": "{} oder {}",
  "a string": "ein Text",
  "a non-empty string": "ein nicht leerer Text",
  "true or false": "true oder false",
  "an integer number of cents within ±(2^53 - 1)": "eine ganze Zahl von Cent innerhalb von ±(2^53 - 1)",
  "an integer, 0 or more": "eine ganze Zahl ab 0",
  "an integer, 1 or more": "eine ganze Zahl ab 1",
  "a number, 0 or more": "eine Zahl ab 0",
  "a number above 0": "eine Zahl über 0",
  "a string, an integer within ±(2^53 - 1) or null": "ein Text, eine ganze Zahl innerhalb von ±(2^53 - 1) oder null",
  "a print area": "ein Druckbereich",
  "a step": "ein Schritt",
  "a layer": "eine Ebene",
  "an answer": "eine Antwort",
  "a list of at least one answer": "eine Liste mit mindestens einer Antwort",
  "must be left out: only {} have it": "muss wegbleiben: Nur {} haben es",
  "must be left out: only single and multiple questions have answers":
    "muss wegbleiben: Nur Fragen vom Typ single und multiple haben Antworten",
  "multiple and upload questions": "Fragen vom Typ multiple und upload",
  "text questions": "Fragen vom Typ text",
  "answers, and questions of type text and upload,": "Antworten und Fragen vom Typ text und upload",
  "a question": "eine Frage",
  "a condition": "eine Bedingung",
  "a question with answers": "eine Frage mit Antworten",
  "a rule": "eine Regel",
  "a list of 1 to {} steps": "eine Liste von 1 bis {} Schritten",
  "an object with schemaVersion, steps, questions and rules":
    "ein Objekt mit schemaVersion, steps, questions und rules",
  "{} is already the id of {}; ids must differ among {}":
    "{} ist schon die ID von {}; IDs müssen sich unterscheiden: {}",
  "the steps": "die der Schritte",
  "the print areas of all steps": "die der Druckbereiche aller Schritte",
  "the questions": "die der Fragen",
  "the rules": "die der Regeln",
  "the answers of a question": "die der Antworten einer Frage",
  "that is the name of the thumbnail of the first view, {}": "So heißt das Vorschaubild der ersten Ansicht, {}",
  "must not be {}: {}": "darf nicht {} sein: {}",
  "names no step: there is none with id {}": "nennt keinen Schritt: Keiner hat die ID {}",
  "names no print area: no step has one with id {}": "nennt keinen Druckbereich: Kein Schritt hat einen mit der ID {}",
  "is {}, more than max, which is {}": "ist {}, mehr als max, das {} ist",
  "{} when left out": "{}, wenn es wegbleibt,",
  "names no view: no step shows {}": "nennt keine Ansicht: Kein Schritt zeigt {}",
  "hides {}, which the same rule shows": "verbirgt {}, das dieselbe Regel zeigt",
  "names no question: there is none with id {}": "nennt keine Frage: Keine hat die ID {}",
  "names no answer: question {} ({}) has none with id {}":
    "nennt keine Antwort: Die Frage {} ({}) hat keine mit der ID {}",
  "is nested too deep: conditions go at most {} levels deep":
    "ist zu tief verschachtelt: Bedingungen gehen höchstens {} Ebenen tief",
  "{} is changed by this rule": "{} ändert diese Regel selbst",
  "{} does not come before {}, which this rule changes": "{} kommt nicht vor {}, das diese Regel ändert",
  "{}; a rule may only read questions before all those that it changes":
    "{}; eine Regel darf nur Fragen lesen, die vor allen kommen, die sie ändert",
  "A definition may have at most 512 KiB of JSON": "Eine Definition darf höchstens 512 KiB JSON haben",
  "The text is not JSON from here on.": "Ab hier ist der Text kein JSON.",
  "The JSON is nested more than {} levels deep.": "Das JSON ist mehr als {} Ebenen tief verschachtelt.",
  "The JSON has more than {} values.": "Das JSON hat mehr als {} Werte.",
  ["must be a number that is kept exactly, an integer up to 2^53 − 1 or a decimal of up to {} digits, not {}: write " +
    "it as a string"]:
    "muss eine Zahl sein, die genau gespeichert wird, ganz bis 2^53 − 1 oder dezimal mit bis zu {} Stellen, nicht " +
    "{}: Schreiben Sie sie als Text",
  "must be a finite number, not {}": "muss eine endliche Zahl sein, nicht {}",
}

/** The words for the sentences of the service, with `{}` for texts of others, numbers, and further sentences. */
export const reasons: Texts["reasons"] = { ...ofPlatforms, ...ofQuestions, ...ofEvaluation, ...ofPublishing }
