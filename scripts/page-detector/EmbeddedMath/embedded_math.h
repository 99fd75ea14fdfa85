// The functions of C's <math.h> that the detection library calls.
double atan2(double, double);
float atan2f(float, float);
float acosf(float);
double tan(double);
double expm1(double);
