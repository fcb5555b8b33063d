import { el } from "./elements.js";
export class NumbersView { constructor(s){ this.id="numbers"; this.title="Numbers"; this.about="Numbers"; this.element=el("section",{class:"view"}, "…"); } show(){} }
