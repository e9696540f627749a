import { type Html, markup } from './html.js';
import type { OfferTexts } from './offer-texts.js';

/** How to sign: by the name, or by drawing where there are scripts. */
export const signatureFields = (t: OfferTexts): Html =>
  markup`<div data-choice hidden><fieldset><legend>${t.signature}</legend>
<label class="check"><input type="radio" name="signature" value="typed" checked><span>${t.typed}</span></label>
<label class="check"><input type="radio" name="signature" value="drawn"><span>${t.drawn}</span></label></fieldset>
<div class="field" data-pad hidden><p class="hint" id="pad-hint">${t.drawHint}</p>
<canvas class="pad" width="900" height="300" role="img" aria-label="${t.pad}" aria-describedby="pad-hint"></canvas>
<p class="error" role="alert" data-missing hidden>${t.problems.drawing}</p>
<button class="second small" type="button" data-clear>${t.clear}</button></div></div>
<input type="hidden" name="drawing" value="">`;
