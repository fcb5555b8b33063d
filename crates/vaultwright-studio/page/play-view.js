import { el } from "./elements.js";
export class PlayView { constructor(s){ this.id="play"; this.title="Play"; this.about="Play"; this.element=el("section",{class:"view"}, "…"); } show(){} }
